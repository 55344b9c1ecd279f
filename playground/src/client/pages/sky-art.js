import { disc, seeded, vertical } from '/playground/client/brush.js';

const ranges = [
  { base: 0.62, rise: 0.16, colours: ['#31505f', '#3b5b66'], pace: 2.1 },
  { base: 0.71, rise: 0.12, colours: ['#20394a', '#35525c'], pace: 3.3 },
  { base: 0.8, rise: 0.08, colours: ['#142733', '#2b434b'], pace: 5.2 },
];

/** Draws the night over the city: stars, a moon, and mountains that fade into mist. */
export function drawSky(ctx, width, height) {
  ctx.fillStyle = vertical(ctx, 0, height, '#050914', '#0d1d2f', '#1f3a49', '#5d5645');
  ctx.fillRect(0, 0, width, height);
  stars(ctx, width, height);
  moon(ctx, width * 0.8, height * 0.2, Math.min(width, height) * 0.062);
  for (const range of ranges) mountains(ctx, width, height, range);
}

function stars(ctx, width, height) {
  const random = seeded(7);
  for (let count = Math.round((width * height) / 5200); count > 0; count -= 1) {
    const size = 0.6 + random() ** 3 * 1.8;
    ctx.fillStyle = `rgb(225 236 245 / ${Math.round(18 + random() * 62)}%)`;
    ctx.beginPath();
    ctx.arc(random() * width, random() ** 1.5 * height * 0.6, size, 0, 7);
    ctx.fill();
  }
}

function moon(ctx, x, y, radius) {
  disc(ctx, x, y, radius * 7, '190 216 230', 30);
  disc(ctx, x, y, radius * 2.2, '225 238 240', 36);
  const face = ctx.createRadialGradient(x - radius * 0.3, y - radius * 0.3, 0, x, y, radius);
  face.addColorStop(0, '#fbfdf6');
  face.addColorStop(1, '#d3e0e0');
  ctx.fillStyle = face;
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 7);
  ctx.fill();
  ctx.fillStyle = 'rgb(150 175 185 / 28%)';
  for (const [dx, dy, size] of [
    [-0.35, 0.1, 0.24],
    [0.2, -0.3, 0.17],
    [0.3, 0.34, 0.28],
    [-0.1, 0.55, 0.13],
  ]) {
    ctx.beginPath();
    ctx.arc(x + dx * radius, y + dy * radius, size * radius, 0, 7);
    ctx.fill();
  }
}

function mountains(ctx, width, height, { base, rise, colours, pace }) {
  const far = Math.max(width, 700);
  const crest = (x) => {
    const at = (x / far) * pace * 3.1 + base * 40;
    return (
      0.55 * Math.abs(Math.sin(at)) +
      0.3 * Math.abs(Math.sin(at * 2.3 + 1)) +
      0.15 * Math.abs(Math.sin(at * 5.1))
    );
  };
  ctx.fillStyle = vertical(ctx, height * (base - rise), height * (rise + 0.2), ...colours);
  ctx.beginPath();
  ctx.moveTo(0, height);
  for (let x = 0; x <= width + 6; x += 6) ctx.lineTo(x, height * (base - rise * crest(x)));
  ctx.lineTo(width, height);
  ctx.fill();
}
