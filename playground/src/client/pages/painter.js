import { drawGate, drawGateLights } from '/playground/client/gate-art.js';
import { lanternSprites } from '/playground/client/lantern-art.js';
import { drawSky } from '/playground/client/sky-art.js';

const MOST_RATIO = 2;
/** The score at which every window of the gate is lit. */
const FULL_SCORE = 250;
const MOST_AFLOAT = 90;

/** Draws the night. `calm` omits decorative motion. */
export function newPainter(canvas, calm) {
  const ctx = canvas.getContext('2d');
  let layers = {};
  let sprite = lanternSprites(1);
  let size = { width: 0, height: 0 };
  /** Lit lanterns rise and stay in the sky. */
  let afloat = [];
  let sparks = [];
  let gains = [];

  function layer(...draws) {
    const image = document.createElement('canvas');
    image.width = canvas.width;
    image.height = canvas.height;
    const onto = image.getContext('2d');
    onto.scale(canvas.width / size.width, canvas.height / size.height);
    for (const draw of draws) draw(onto, size.width, size.height);
    return image;
  }

  function resize() {
    const { clientWidth: width, clientHeight: height } = canvas;
    const ratio = Math.min(devicePixelRatio || 1, MOST_RATIO);
    size = { width, height };
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    sprite = lanternSprites(ratio);
    layers = { sky: layer(drawSky), gate: layer(drawGate), lights: layer(drawGateLights) };
  }

  function celebrate({ lantern, gained }) {
    const x = lantern.x + lantern.drift;
    const { y, radius, kind } = lantern;
    const target = { x: Math.random() * size.width, y: Math.random() ** 1.3 * size.height * 0.42 };
    afloat.push({ kind, radius, fromX: x, fromY: y, ...target, age: calm ? 9 : 0, phase: Math.random() * 6 });
    if (afloat.length > MOST_AFLOAT) afloat.shift();
    gains.push({ x, y: y - radius, text: `+${gained}`, age: 0, big: gained >= 10 });
    if (calm) return;
    for (let count = kind === 'gold' ? 22 : 11; count > 0; count -= 1) {
      const [angle, speed] = [Math.random() * 6.28, 40 + Math.random() * 150];
      sparks.push({ x, y, dx: Math.cos(angle) * speed, dy: Math.sin(angle) * speed, age: 0 });
    }
  }

  const stamp = (kind, lit, radius, x, y, alpha = 1) => {
    const { image, half } = sprite(kind, lit, radius);
    ctx.globalAlpha = alpha;
    ctx.drawImage(image, x - half, y - half, half * 2, half * 2);
    ctx.globalAlpha = 1;
  };

  function drawAfloat(seconds) {
    for (const one of afloat) {
      one.age += seconds;
      const way = 1 - (1 - Math.min(1, one.age / 2.6)) ** 3;
      const flicker = calm ? 0.9 : 0.82 + 0.18 * Math.sin(one.age * 2.2 + one.phase);
      const radius = Math.round(one.radius * (1 - 0.74 * way));
      const x = one.fromX + (one.x - one.fromX) * way;
      const y = one.fromY + (one.y - one.fromY) * way + (calm ? 0 : Math.sin(one.age + one.phase) * 4 * way);
      stamp(one.kind, true, radius, x, y, way < 1 ? 1 : flicker);
    }
  }

  function drawSparks(seconds) {
    ctx.fillStyle = '#ffe2a0';
    for (const spark of sparks) {
      spark.age += seconds;
      spark.x += spark.dx * seconds;
      spark.y += spark.dy * seconds;
      spark.dy += 130 * seconds;
      ctx.globalAlpha = Math.max(0, 1 - spark.age / 0.8);
      ctx.fillRect(spark.x - 1.5, spark.y - 1.5, 3, 3);
    }
    ctx.globalAlpha = 1;
    sparks = sparks.filter(({ age }) => age < 0.8);
  }

  function drawGains(seconds) {
    ctx.textAlign = 'center';
    ctx.lineWidth = 4;
    ctx.strokeStyle = 'rgb(20 8 0 / 75%)';
    ctx.fillStyle = '#fff0c4';
    for (const gain of gains) {
      gain.age += seconds;
      ctx.font = `700 ${gain.big ? 34 : 24}px Georgia, serif`;
      ctx.globalAlpha = Math.max(0, 1 - gain.age);
      const y = gain.y - (calm ? 0 : gain.age * 46);
      ctx.strokeText(gain.text, gain.x, y);
      ctx.fillText(gain.text, gain.x, y);
    }
    ctx.globalAlpha = 1;
    gains = gains.filter(({ age }) => age < 1);
  }

  function drawChosen({ x, y, drift, radius }) {
    ctx.strokeStyle = '#9cc7ee';
    ctx.lineWidth = 3;
    ctx.setLineDash([8, 6]);
    ctx.beginPath();
    ctx.arc(x + drift, y, radius * 1.5, 0, 7);
    ctx.stroke();
    ctx.setLineDash([]);
  }

  resize();
  return {
    resize,
    celebrate,
    size: () => size,
    clear() {
      afloat = [];
    },
    frame(round, seconds) {
      ctx.drawImage(layers.sky, 0, 0, size.width, size.height);
      drawAfloat(seconds);
      ctx.drawImage(layers.gate, 0, 0, size.width, size.height);
      ctx.globalAlpha = Math.min(1, (round?.score ?? 0) / FULL_SCORE);
      ctx.drawImage(layers.lights, 0, 0, size.width, size.height);
      ctx.globalAlpha = 1;
      for (const { kind, radius, x, drift, y } of round?.lanterns ?? [])
        stamp(kind, false, radius, x + drift, y);
      if (round?.chosen) drawChosen(round.chosen);
      drawSparks(seconds);
      drawGains(seconds);
    },
  };
}
