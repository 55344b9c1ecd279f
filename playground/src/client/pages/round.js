export const ROUND_SECONDS = 60;
export const MOST_TIMES = 4;
const STREAK_PER_TIMES = 6;

/** Value, size, speed and share of each kind of lantern. */
export const kinds = {
  paper: { worth: 1, size: 34, speed: 1, share: 0.68 },
  silk: { worth: 3, size: 28, speed: 1.3, share: 0.24 },
  gold: { worth: 10, size: 25, speed: 1.75, share: 0.08 },
};

function pickKind(chance) {
  let sum = 0;
  for (const [kind, { share }] of Object.entries(kinds)) {
    sum += share;
    if (chance < sum) return kind;
  }
  return 'paper';
}

/** The rules of one round. Knows sizes and seconds, but no screen; `calm` is for users who prefer reduced motion. */
export function newRound({ width, height, calm = false, random = Math.random }) {
  const scale = Math.min(1.5, Math.max(0.85, Math.min(width, height) / 480));
  const round = { left: ROUND_SECONDS, score: 0, lit: 0, streak: 0, longest: 0, lanterns: [], chosen: null };
  let untilNext = 0;

  function release() {
    const kind = pickKind(random());
    const radius = kinds[kind].size * scale;
    const margin = radius * 1.6;
    round.lanterns.push({
      kind,
      radius,
      x: margin + random() * (width - 2 * margin),
      y: height + radius * 1.5,
      speed: (height / (calm ? 9 : 7)) * kinds[kind].speed * (0.85 + random() * 0.3),
      sway: calm ? 0 : (0.4 + random()) * 22 * scale,
      phase: random() * 6.28,
      age: 0,
      drift: 0,
    });
  }

  const times = () => Math.min(MOST_TIMES, 1 + Math.floor(round.streak / STREAK_PER_TIMES));

  function light(lantern) {
    const gained = kinds[lantern.kind].worth * times();
    round.lanterns.splice(round.lanterns.indexOf(lantern), 1);
    if (round.chosen === lantern) round.chosen = null;
    round.score += gained;
    round.lit += 1;
    round.streak += 1;
    round.longest = Math.max(round.longest, round.streak);
    return { lantern, gained };
  }

  return Object.assign(round, {
    times,

    step(seconds) {
      round.left = Math.max(0, round.left - seconds);
      untilNext -= seconds;
      const passed = 1 - round.left / ROUND_SECONDS;
      if (untilNext <= 0 && round.left > 1.5) {
        release();
        untilNext = (calm ? 1 : 0.85) - passed * 0.4 + random() * 0.25;
      }
      for (const lantern of round.lanterns) {
        lantern.age += seconds;
        lantern.y -= lantern.speed * (1 + passed * 0.5) * seconds;
        lantern.drift = Math.sin(lantern.age * 1.4 + lantern.phase) * lantern.sway;
      }
      round.lanterns = round.lanterns.filter(({ y, radius }) => y > -radius * 1.5);
      if (!round.lanterns.includes(round.chosen)) round.chosen = null;
    },

    /** Lights the nearest lantern within a finger's width; a miss ends the streak. */
    tap(x, y) {
      const reach = ({ radius }) => radius * 1.25 + 10;
      const far = (lantern) => Math.hypot(lantern.x + lantern.drift - x, lantern.y - y);
      const near = round.lanterns.filter((lantern) => far(lantern) < reach(lantern));
      const nearest = near.sort((a, b) => far(a) - far(b))[0];
      if (nearest) return light(nearest);
      round.streak = 0;
      return null;
    },

    /** Keyboard: selects the next lantern to the left or right; without a direction, the one that leaves first. */
    choose(direction = 0) {
      const seen = round.lanterns.filter(({ y }) => y < height - 20);
      const from = seen.includes(round.chosen) ? round.chosen : null;
      if (from && direction !== 0) {
        const row = seen.sort((a, b) => a.x - b.x);
        round.chosen = row[(row.indexOf(from) + direction + row.length) % row.length];
      } else round.chosen = from ?? seen.sort((a, b) => a.y - b.y)[0] ?? null;
      return round.chosen;
    },

    lightChosen() {
      const chosen = this.choose();
      return chosen && light(chosen);
    },
  });
}
