#pragma once

#include <chrono>
#include <cstdio>
#include <ctime>

// Clock measures seconds of real time and of CPU time of this process.
class Clock {
public:
  void print() {
    std::chrono::duration<double> real = std::chrono::steady_clock::now() - began;
    std::printf(" %.6f %.6f", real.count(), cpu() - had);
    *this = Clock();
  }

private:
  static double cpu() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
  }
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  double had = cpu();
};
