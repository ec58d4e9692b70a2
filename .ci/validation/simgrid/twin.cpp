// Plays the cases of the validation in SimGrid. Reads them on standard input, in the format that
// cases.go writes, and prints for each its number, the seconds of real time and of CPU time that building the network
// took, and simulating, and the nanosecond at which each node is done.
//
// Every directed edge has a mailbox with a receiver of its own, so that a message starts when it is
// sent, whether or not its receiver waits for it.
//
// SimGrid gives a connection of short latency more of a link than one of long latency, and lets the
// messages of one connection share it. In a case with even shares the links have no latency:
// each message waits for the latency of its route, then for its turn on the connection.

#include "../clock.h"
#include <cmath>
#include <cstdio>
#include <deque>
#include <fstream>
#include <iostream>
#include <map>
#include <simgrid/plugins/energy.h>
#include <simgrid/s4u.hpp>
#include <sstream>
#include <string>
#include <xbt/log.h>
#include <unistd.h>
#include <sys/wait.h>
#include <vector>

namespace sg = simgrid::s4u;

struct Edge {
  int from, to;
  double bytes;
  std::vector<int> route;
  sg::Mailbox* box = nullptr;
  int received = 0; // messages
};

// Sent is a message under way. All detached messages are in one list, of which each is removed by looking through all
// of it; so they are kept here until they have been received.
struct Sent {
  Edge* edge;
  int number; // on its edge, from 0
  sg::CommPtr comm;
};

struct Line {
  double bits, seconds;
};

struct Case {
  std::string name;
  int nodes = 0, rounds = 1, even = 0;
  double window = 0;
  double idle = -1, busy = 0, joules = 0; // watts, and joules a byte; -1: energy is not asked for
  std::vector<Line> links;
  std::vector<Edge> edges;
  std::vector<double> compute;
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
      words >> c.name >> c.nodes >> c.rounds >> c.window >> c.even;
      c.compute.assign(c.nodes, 0);
    } else if (what == "power") {
      Case& c = cases.back();
      words >> c.idle >> c.busy >> c.joules;
    } else if (what == "link") {
      double bits, ns;
      words >> bits >> ns;
      cases.back().links.push_back({bits, ns * 1e-9});
    } else if (what == "compute") {
      int node;
      double ns;
      words >> node >> ns;
      cases.back().compute[node] = ns * 1e-9;
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

static void play(Case& c, int argc, char** argv) {
  std::printf("%s", c.name.c_str());
  Clock clock;
  xbt_log_control_set("root.thres:warning");
  bool energy = c.idle >= 0;
  sg::Engine e(&argc, argv);
  if (energy) {
    sg_host_energy_plugin_init();
    sg_link_energy_plugin_init();
  }
  sg::Engine::set_config("network/model:CM02");
  sg::Engine::set_config("network/latency-factor:1");
  sg::Engine::set_config("network/bandwidth-factor:1");
  sg::Engine::set_config("network/weight-S:0");
  sg::Engine::set_config("network/crosstraffic:0");
  sg::Engine::set_config("network/TCP-gamma:" + std::to_string(c.window));
  if (c.even)
    sg::Engine::set_config("surf/precision:1e-13");
  auto* zone = sg::create_full_zone("zone");
  std::vector<sg::Host*> hosts;
  for (int i = 0; i < c.nodes; i++) {
    hosts.push_back(zone->create_host("h" + std::to_string(i), 1e9));
    if (energy)
      hosts.back()->set_property("wattage_per_state",
          std::to_string(c.idle) + ":" + std::to_string(c.busy) + ":" + std::to_string(c.busy));
  }
  std::vector<sg::Link*> links;
  for (size_t i = 0; i < c.links.size(); i++) {
    auto* l = zone->create_link("l" + std::to_string(i), c.links[i].bits / 8)->set_latency(c.even ? 0 : c.links[i].seconds);
    l->set_sharing_policy(sg::Link::SharingPolicy::SHARED);
    if (energy) { // a link that is full draws the joules of the bytes that it carries
      std::ostringstream watts;
      watts.precision(17);
      watts << "0:" << c.joules * c.links[i].bits / 8;
      l->set_property("wattage_range", watts.str());
    }
    l->seal();
    links.push_back(l);
  }
  for (auto const& edge : c.edges) {
    std::vector<sg::LinkInRoute> route;
    for (int l : edge.route)
      route.emplace_back(links[l]);
    zone->add_route(hosts[edge.from]->get_netpoint(), hosts[edge.to]->get_netpoint(), nullptr, nullptr, route, false);
  }
  zone->seal();

  std::vector<double> ends(c.nodes, 0);
  std::vector<std::vector<Edge*>> out(c.nodes), in(c.nodes);
  for (auto& edge : c.edges) {
    out[edge.from].push_back(&edge);
    in[edge.to].push_back(&edge);
  }
  for (auto& edge : c.edges)
    edge.box = sg::Mailbox::by_name("to " + std::to_string(edge.from) + "-" + std::to_string(edge.to));
  static int token = 1;
  std::map<const Edge*, sg::SemaphorePtr> turns;
  if (c.even)
    for (auto const& edge : c.edges)
      turns[&edge] = sg::Semaphore::create(1);
  auto send = [&](const Edge* x) {
    auto* box = x->box;
    double latency = 0;
    for (int l : x->route)
      latency += c.links[l].seconds;
    double rate = c.window > 0 && latency > 0 ? c.window / (2 * latency) : -1;
    sg::Actor::create("message", hosts[x->from], [=, &turns]() {
      if (latency > 0)
        sg::this_actor::sleep_for(latency);
      turns.at(x)->acquire();
      auto comm = box->put_init(&token, static_cast<uint64_t>(x->bytes));
      comm->set_rate(rate);
      comm->wait();
      turns.at(x)->release();
    });
  };
  for (int i = 0; i < c.nodes; i++) {
    auto program = [&, i]() {
      std::deque<Sent> sent;
      for (int k = 0; k < c.rounds; k++) {
        if (c.compute[i] > 0 && energy)
          sg::this_actor::execute(c.compute[i] * 1e9);
        else if (c.compute[i] > 0)
          sg::this_actor::sleep_for(c.compute[i]);
        for (; !sent.empty() && sent.front().edge->received > sent.front().number; sent.pop_front())
          sent.front().comm->wait();
        for (auto* x : out[i])
          if (c.even)
            send(x);
          else
            sent.push_back({x, k, x->box->put_async(&token, static_cast<uint64_t>(x->bytes))});
        for (auto* x : in[i]) {
          x->box->get<int>();
          x->received++;
        }
      }
      ends[i] = sg::Engine::get_clock();
      for (auto& x : sent) // what an actor has under way ends with it
        x.comm->wait();
    };
    auto actor = sg::Actor::create("node " + std::to_string(i), hosts[i], program);
    for (auto* x : in[i])
      x->box->set_receiver(actor);
  }
  clock.print();
  e.run();
  clock.print();
  for (double t : ends)
    std::printf(" %.4f", t * 1e9);
  std::printf("\n");
  if (!energy)
    return;
  std::printf("energy %s", c.name.c_str());
  for (auto* h : hosts)
    std::printf(" %.12g", sg_host_get_consumed_energy(h));
  for (auto* l : links)
    std::printf(" %.12g", sg_link_get_consumed_energy(l));
  std::printf("\n");
}

// An engine cannot be made twice in a process: each case has its own.
int main(int argc, char** argv) {
  auto cases = read_cases(std::cin);
  for (auto& c : cases) {
    if (fork() == 0) {
      play(c, argc, argv);
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
