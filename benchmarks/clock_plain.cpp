// Clock in plain C++, for comparison: shuffle the whole deck, deal it to piles, play.
//
//     g++ -O2 -o clock_plain clock_plain.cpp && ./clock_plain GAMES SEED
//
// Prints the number of games, the number won and the seconds taken.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>

constexpr int piles = 13, height = 4, cards = piles * height, centre = 12;

// Cards not turned when the fourth King ends the play; the first cards dealt lie at the bottom.
static int play(const std::array<int, cards>& deck) {
    std::array<int, piles> face_down;
    face_down.fill(height);
    int left = cards, called = centre;
    while (face_down[called] > 0) {
        int level = --face_down[called];
        --left;
        called = deck[level * piles + called] / height;
    }
    return left;
}

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: clock_plain GAMES SEED\n");
        return 2;
    }
    const long games = std::atol(argv[1]);
    std::mt19937_64 random(std::strtoull(argv[2], nullptr, 10));
    std::array<int, cards> deck;
    std::iota(deck.begin(), deck.end(), 0);
    std::array<long, cards + 1> ended{};
    const auto start = std::chrono::steady_clock::now();
    for (long game = 0; game < games; ++game) {
        std::shuffle(deck.begin(), deck.end(), random);
        ++ended[play(deck)];
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::printf("%ld %ld %.6f\n", games, ended[0], taken.count());
}
