// Plays the cases of the validation in ns-3, packet by packet. Reads them on standard input, in the
// format that cases.go writes, and prints for each its number, the seconds of real time and of CPU time that building
// the network took, and simulating, and the nanosecond at which each node is done.
//
// A message is packets of 1000 bytes at most. A sender puts the packets of its messages in turn into the
// queue of their first link. There are three kinds of devices.
//
// simple: a physical link is a pair of ns-3's SimpleNetDevices with a channel between them: a queue, a rate
// and a delay. There are no headers, and packets are stored and forwarded from link to link.
//
// point-to-point: two neighbours have a PointToPointNetDevice each, and a PointToPointChannel between them; an edge
// is what one of the two devices sends. The header of PPP is part of the bytes of a packet.
//
// udp: the same, and a node sends and receives through a UDP socket, over IPv4, without queue disciplines. The headers
// of PPP, IPv4 and UDP are part of the bytes of a packet.

#include "../clock.h"
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>
#include <ns3/channel.h>
#include <ns3/drop-tail-queue.h>
#include <ns3/inet-socket-address.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-address-helper.h>
#include <ns3/ipv4-interface-container.h>
#include <ns3/ipv4-static-routing-helper.h>
#include <ns3/net-device-container.h>
#include <ns3/node-container.h>
#include <ns3/node.h>
#include <ns3/packet.h>
#include <ns3/point-to-point-channel.h>
#include <ns3/point-to-point-net-device.h>
#include <ns3/simple-channel.h>
#include <ns3/simple-net-device.h>
#include <ns3/simulator.h>
#include <ns3/socket.h>
#include <ns3/udp-socket-factory.h>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <unordered_map>
#include <vector>

using namespace ns3;

static const long packet_size = 1000; // bytes on the link
static const uint16_t port = 9;

struct Edge {
  int from, to;
  long bytes;
  std::vector<int> route;
  long received = 0; // bytes
};

struct Line {
  long bits, ns;
};

struct Case {
  std::string name, devices = "simple";
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
    } else if (what == "devices") {
      words >> cases.back().devices;
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

// Way is what a packet of simple devices carries: its edge, and how many links it has crossed.
struct Way {
  int edge, hop;
};

class World {
public:
  explicit World(Case& c)
      : c(c), round(c.nodes, 0), missing(c.nodes, 0), out(c.nodes), in(c.nodes), ends(c.nodes, 0),
        computing(c.nodes, false) {
    for (size_t k = 0; k < c.edges.size(); k++) {
      out[c.edges[k].from].push_back(k);
      in[c.edges[k].to].push_back(k);
    }
    if (c.devices == "simple") {
      for (size_t i = 0; i < c.links.size(); i++)
        add_link(i);
    } else {
      add_pairs();
    }
    for (int i = 0; i < c.nodes; i++)
      begin(i);
  }

  std::vector<long> ends_ns() const { return ends; }

private:
  Case& c;
  std::vector<int> round, missing; // of a node: the round, and the messages of it that are still to come
  std::vector<std::vector<int>> out, in;
  std::vector<long> ends;
  std::vector<bool> computing; // or done
  // simple
  std::vector<Ptr<SimpleNetDevice>> senders; // by link
  std::vector<Way> ways;                     // by a packet's number
  // point-to-point and udp
  std::vector<Ptr<NetDevice>> devices; // by edge
  std::vector<Ptr<Socket>> sockets;    // by node
  std::vector<Address> receivers;      // by edge
  std::vector<std::unordered_map<uint32_t, int>> edge_of; // by receiver and the sender's address
  long header = 0;                                        // bytes of a packet that the layers below add

  static Ptr<DropTailQueue<Packet>> queue() {
    Ptr<DropTailQueue<Packet>> queue = CreateObject<DropTailQueue<Packet>>();
    queue->SetMaxSize(QueueSize("100000000p"));
    return queue;
  }

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
      device->SetQueue(queue());
      node->AddDevice(device);
      device->SetChannel(channel);
    }
    ends[1]->SetReceiveCallback(
        [this](Ptr<NetDevice>, Ptr<const Packet> p, uint16_t, const Address&) { return crossed(p); });
    senders.push_back(ends[0]);
  }

  // add_pairs connects neighbours, whose edges to each other are of one link each, with one delay.
  void add_pairs() {
    NodeContainer nodes;
    nodes.Create(c.nodes);
    devices.resize(c.edges.size());
    std::map<std::pair<int, int>, std::pair<int, int>> pairs; // the edges there and back
    for (size_t k = 0; k < c.edges.size(); k++) {
      auto const& e = c.edges[k];
      if (e.from < e.to)
        pairs[{e.from, e.to}].first = k;
      else
        pairs[{e.to, e.from}].second = k;
    }
    bool udp = c.devices == "udp";
    header = udp ? 2 + 20 + 8 : 2;
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.252");
    if (udp) {
      Ipv4StaticRoutingHelper routing;
      InternetStackHelper stack;
      stack.SetRoutingHelper(routing);
      stack.SetIpv6StackInstall(false);
      stack.Install(nodes);
      receivers.resize(c.edges.size());
      edge_of.resize(c.nodes);
      for (int i = 0; i < c.nodes; i++)
        add_socket(nodes.Get(i));
    }
    for (auto const& [ends, edges] : pairs) {
      auto [there, back] = edges;
      Ptr<PointToPointChannel> channel = CreateObject<PointToPointChannel>();
      channel->SetAttribute("Delay", TimeValue(NanoSeconds(c.links[c.edges[there].route[0]].ns)));
      add_device(nodes.Get(ends.first), channel, there, back);
      add_device(nodes.Get(ends.second), channel, back, there);
      if (!udp)
        continue;
      // A device without an interface for its queue gets no queue discipline.
      auto given = addresses.Assign(NetDeviceContainer(devices[there], devices[back]));
      addresses.NewNetwork();
      receivers[there] = InetSocketAddress(given.GetAddress(1), port);
      receivers[back] = InetSocketAddress(given.GetAddress(0), port);
      edge_of[ends.first][given.GetAddress(1).Get()] = back;
      edge_of[ends.second][given.GetAddress(0).Get()] = there;
    }
  }

  // add_device makes the device that sends an edge, and receives its reverse.
  void add_device(Ptr<Node> node, Ptr<PointToPointChannel> channel, int sends, int receives) {
    auto device = CreateObject<PointToPointNetDevice>();
    device->SetAddress(Mac48Address::Allocate());
    device->SetDataRate(DataRate(c.links[c.edges[sends].route[0]].bits));
    device->SetQueue(queue());
    node->AddDevice(device);
    device->Attach(channel);
    if (sockets.empty())
      device->SetReceiveCallback([this, receives](Ptr<NetDevice>, Ptr<const Packet> p, uint16_t, const Address&) {
        arrived(receives, p->GetSize());
        return true;
      });
    devices[sends] = device;
  }

  void add_socket(Ptr<Node> node) {
    int number = sockets.size();
    auto socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
    socket->SetRecvCallback([this, number](Ptr<Socket> socket) {
      Address from;
      while (Ptr<Packet> p = socket->RecvFrom(from))
        arrived(edge_of[number].at(InetSocketAddress::ConvertFrom(from).GetIpv4().Get()), p->GetSize());
    });
    sockets.push_back(socket);
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
    for (int k : in[node])
      missing[node] += c.edges[k].received < (round[node] + 1) * c.edges[k].bytes;
    std::vector<std::pair<int, long>> left;
    for (int k : out[node])
      left.emplace_back(k, c.edges[k].bytes);
    for (bool more = true; more;) {
      more = false;
      for (auto& [k, bytes] : left) {
        if (bytes <= 0)
          continue;
        long size = std::min(bytes, packet_size);
        bytes -= size;
        more = true;
        if (size <= header)
          fail(c.edges[k], "a packet has no room for its headers");
        put(k, Create<Packet>(static_cast<uint32_t>(size - header)));
      }
    }
    check(node);
  }

  // put begins to send a packet of an edge.
  void put(int k, Ptr<Packet> p) {
    bool taken;
    if (!sockets.empty()) {
      taken = sockets[c.edges[k].from]->SendTo(p, 0, receivers[k]) >= 0;
    } else if (!devices.empty()) {
      taken = devices[k]->Send(p, devices[k]->GetBroadcast(), 0x0800);
    } else {
      ways.resize(std::max(ways.size(), p->GetUid() + 1));
      ways[p->GetUid()] = {k, 0};
      taken = forward(p);
    }
    if (!taken)
      fail(c.edges[k], "a packet was dropped");
  }

  [[noreturn]] static void fail(const Edge& e, const char* why) {
    std::cerr << "ns-3, from node " << e.from << " to " << e.to << ": " << why << std::endl;
    _exit(1);
  }

  bool forward(Ptr<Packet> p) {
    Way& w = ways[p->GetUid()];
    auto device = senders[c.edges[w.edge].route[w.hop++]];
    return device->Send(p, Mac48Address::GetBroadcast(), 0x0800);
  }

  // crossed takes a packet from the end of a simple link.
  bool crossed(Ptr<const Packet> p) {
    Way w = ways[p->GetUid()];
    if (w.hop < static_cast<int>(c.edges[w.edge].route.size())) {
      if (!forward(p->Copy()))
        fail(c.edges[w.edge], "a packet was dropped");
      return true;
    }
    arrived(w.edge, p->GetSize());
    return true;
  }

  void arrived(int edge, uint32_t size) {
    Edge& e = c.edges[edge];
    long whole = (round[e.to] + 1) * e.bytes;
    bool had = e.received >= whole;
    e.received += size + header;
    if (computing[e.to] || had || e.received < whole)
      return;
    missing[e.to]--;
    check(e.to);
  }

  // check begins the next round of a node that has all of this one.
  void check(int node) {
    if (missing[node] > 0)
      return;
    round[node]++;
    begin(node);
  }
};

static void play(Case& c) {
  Time::SetResolution(Time::PS);
  std::printf("%s", c.name.c_str());
  Clock clock;
  World w(c);
  clock.print();
  Simulator::Run();
  clock.print();
  for (long t : w.ends_ns())
    std::printf(" %ld", t);
  std::printf("\n");
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
