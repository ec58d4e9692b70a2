// Plays the cases of the validation in ns-3, packet by packet. Reads them on standard input, in the
// format that cases.go writes, and prints for each its number, the nanosecond at which each node is
// done, and the seconds that ns-3 took.
//
// A physical link is a pair of ns-3's SimpleNetDevices with a channel between them: a queue, a rate
// and a delay. A message is packets of 1000 bytes, without headers, that are stored and forwarded
// from link to link. A sender puts the packets of its messages in turn into the queue of their first link.

#include <chrono>
#include <cstdio>
#include <deque>
#include <fstream>
#include <iostream>
#include <map>
#include <ns3/core-module.h>
#include <ns3/network-module.h>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace ns3;

static const uint32_t packet_size = 1000;

struct Edge {
  int from, to;
  long bytes;
  std::vector<int> route;
  long received = 0;
};

struct Line {
  long bits, ns;
};

struct Case {
  std::string name;
  int nodes = 0, rounds = 1;
  std::vector<Line> links;
  std::vector<Edge> edges;
  std::vector<long> compute;
};

static std::vector<Case> read_cases(std::istream& in) {
  std::vector<Case> cases;
  std::string text;
  while (std::getline(in, text)) {
    std::istringstream words(text);
    std::string what;
    words >> what;
    if (what == "case") {
      cases.emplace_back();
      Case& c = cases.back();
      words >> c.name >> c.nodes >> c.rounds;
      c.compute.assign(c.nodes, 0);
    } else if (what == "link") {
      Line l;
      words >> l.bits >> l.ns;
      cases.back().links.push_back(l);
    } else if (what == "compute") {
      int node;
      words >> node;
      words >> cases.back().compute[node];
    } else if (what == "edge") {
      Edge e;
      words >> e.from >> e.to >> e.bytes;
      for (int l; words >> l;)
        e.route.push_back(l);
      cases.back().edges.push_back(e);
    }
  }
  return cases;
}

// Way is what a packet carries: its edge, and how many links it has crossed.
struct Way {
  int edge, hop;
};

class World {
public:
  explicit World(Case& c) : c(c), round(c.nodes, 0), ends(c.nodes, 0), computing(c.nodes, false) {
    for (size_t i = 0; i < c.links.size(); i++)
      add_link(i);
    for (int i = 0; i < c.nodes; i++)
      begin(i);
  }

  std::vector<long> ends_ns() const { return ends; }

private:
  Case& c;
  std::vector<int> round;
  std::vector<long> ends;
  std::vector<bool> computing; // or done
  std::vector<Ptr<SimpleNetDevice>> senders;
  std::map<uint64_t, Way> ways;

  void add_link(int i) {
    Ptr<SimpleChannel> channel = CreateObject<SimpleChannel>();
    channel->SetAttribute("Delay", TimeValue(NanoSeconds(c.links[i].ns)));
    Ptr<SimpleNetDevice> ends[2];
    for (auto& device : ends) {
      Ptr<Node> node = CreateObject<Node>();
      device = CreateObject<SimpleNetDevice>();
      device->SetAddress(Mac48Address::Allocate());
      device->SetAttribute("PointToPointMode", BooleanValue(true));
      device->SetAttribute("DataRate", DataRateValue(DataRate(c.links[i].bits)));
      Ptr<DropTailQueue<Packet>> queue = CreateObject<DropTailQueue<Packet>>();
      queue->SetMaxSize(QueueSize("100000000p"));
      device->SetQueue(queue);
      node->AddDevice(device);
      device->SetChannel(channel);
    }
    ends[1]->SetReceiveCallback(
        [this](Ptr<NetDevice>, Ptr<const Packet> p, uint16_t, const Address&) { return arrived(p); });
    senders.push_back(ends[0]);
  }

  void begin(int node) {
    if (round[node] == c.rounds) {
      ends[node] = Simulator::Now().GetNanoSeconds();
      computing[node] = true;
      return;
    }
    computing[node] = true;
    Simulator::Schedule(NanoSeconds(c.compute[node]), [this, node] { send(node); });
  }

  void send(int node) {
    computing[node] = false;
    std::vector<std::pair<int, long>> left;
    for (size_t k = 0; k < c.edges.size(); k++)
      if (c.edges[k].from == node)
        left.emplace_back(k, c.edges[k].bytes);
    for (bool more = true; more;) {
      more = false;
      for (auto& [k, bytes] : left) {
        if (bytes <= 0)
          continue;
        Ptr<Packet> p = Create<Packet>(static_cast<uint32_t>(std::min<long>(bytes, packet_size)));
        bytes -= p->GetSize();
        more = true;
        ways[p->GetUid()] = {k, 0};
        forward(p);
      }
    }
    check(node);
  }

  void forward(Ptr<Packet> p) {
    Way& w = ways[p->GetUid()];
    auto device = senders[c.edges[w.edge].route[w.hop++]];
    device->Send(p, Mac48Address::GetBroadcast(), 0x0800);
  }

  bool arrived(Ptr<const Packet> p) {
    Way w = ways[p->GetUid()];
    Edge& e = c.edges[w.edge];
    if (w.hop < static_cast<int>(e.route.size())) {
      forward(p->Copy());
      return true;
    }
    ways.erase(p->GetUid());
    e.received += p->GetSize();
    check(e.to);
    return true;
  }

  // check begins the next round of a node that has all of this one.
  void check(int node) {
    if (computing[node])
      return;
    for (auto const& e : c.edges)
      if (e.to == node && e.received < (round[node] + 1) * e.bytes)
        return;
    round[node]++;
    begin(node);
  }
};

static void play(Case& c) {
  Time::SetResolution(Time::PS);
  World w(c);
  auto begin = std::chrono::steady_clock::now();
  Simulator::Run();
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%s", c.name.c_str());
  for (long t : w.ends_ns())
    std::printf(" %ld", t);
  std::printf(" %.6f\n", took.count());
  Simulator::Destroy();
}

// Each case has a process of its own, as in SimGrid's twin.
int main() {
  auto cases = read_cases(std::cin);
  for (auto& c : cases) {
    if (fork() == 0) {
      play(c);
      std::fflush(stdout);
      _exit(0);
    }
    int status = 0;
    wait(&status);
    if (status != 0)
      return 1;
  }
  return 0;
}
