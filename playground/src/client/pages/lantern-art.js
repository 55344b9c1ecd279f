const palette = {
  paper: { lit: ['#fff6d8', '#ffc463', '#e0702a'], dark: ['#46586a', '#2a3846'], glow: '255 178 84' },
  silk: { lit: ['#ffe9c9', '#ff7a52', '#b32a22'], dark: ['#6a3d44', '#3b2530'], glow: '255 110 72' },
  gold: { lit: ['#fffbe6', '#ffdf76', '#d99a1e'], dark: ['#77683a', '#453a20'], glow: '255 214 110' },
};

/** Draws one lantern around the origin, its body one radius wide each way. */
export function drawLantern(ctx, kind, { lit, radius }) {
  ctx.save();
  ctx.scale(radius, radius);
  if (lit) glow(ctx, palette[kind].glow);
  const shape = kind === 'paper' ? skyLantern : roundLantern;
  shape(ctx, palette[kind], lit);
  if (kind === 'gold') ribbon(ctx, lit);
  ctx.restore();
}

function glow(ctx, colour) {
  const light = ctx.createRadialGradient(0, 0.1, 0.2, 0, 0.1, 2.6);
  light.addColorStop(0, `rgb(${colour} / 62%)`);
  light.addColorStop(0.4, `rgb(${colour} / 20%)`);
  light.addColorStop(1, `rgb(${colour} / 0%)`);
  ctx.fillStyle = light;
  ctx.fillRect(-2.6, -2.6, 5.2, 5.2);
}

function paint(ctx, { lit: bright, dark }, lit) {
  const fill = lit
    ? ctx.createRadialGradient(0, 0.45, 0.05, 0, 0.1, 1.25)
    : ctx.createLinearGradient(-0.8, -1, 0.8, 1);
  const stops = lit ? bright : dark;
  for (const [index, colour] of stops.entries()) fill.addColorStop(index / (stops.length - 1), colour);
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.lineWidth = 0.045;
  ctx.strokeStyle = lit ? 'rgb(120 40 14 / 55%)' : 'rgb(190 210 228 / 55%)';
  ctx.stroke();
}

/** A sky lantern: a paper bag over a small flame. */
function skyLantern(ctx, colours, lit) {
  ctx.beginPath();
  ctx.moveTo(-0.52, 0.92);
  ctx.bezierCurveTo(-0.62, 0.3, -0.98, -0.1, -0.82, -0.66);
  ctx.quadraticCurveTo(0, -1.28, 0.82, -0.66);
  ctx.bezierCurveTo(0.98, -0.1, 0.62, 0.3, 0.52, 0.92);
  ctx.quadraticCurveTo(0, 1.06, -0.52, 0.92);
  paint(ctx, colours, lit);
  ctx.beginPath();
  ctx.moveTo(-0.2, 0.97);
  ctx.bezierCurveTo(-0.24, 0.2, -0.4, -0.2, -0.3, -0.93);
  ctx.moveTo(0.2, 0.97);
  ctx.bezierCurveTo(0.24, 0.2, 0.4, -0.2, 0.3, -0.93);
  ctx.stroke();
  ctx.beginPath();
  ctx.ellipse(0, 0.93, 0.52, 0.1, 0, 0, 7);
  ctx.fillStyle = lit ? '#fff3c4' : '#16202a';
  ctx.fill();
}

/** A silk lantern: round, capped, with a tassel. */
function roundLantern(ctx, colours, lit) {
  const metal = lit ? '#f2c66b' : '#8f8564';
  ctx.strokeStyle = metal;
  ctx.lineWidth = 0.07;
  ctx.beginPath();
  ctx.moveTo(0, -1.15);
  ctx.lineTo(0, -0.8);
  for (const x of [-0.16, 0, 0.16]) {
    ctx.moveTo(x, 0.85);
    ctx.lineTo(x * 1.3, 1.4);
  }
  ctx.stroke();
  ctx.beginPath();
  ctx.ellipse(0, 0, 1, 0.78, 0, 0, 7);
  paint(ctx, colours, lit);
  ctx.beginPath();
  for (const width of [0.34, 0.7]) ctx.ellipse(0, 0, width, 0.78, 0, 0, 7);
  ctx.stroke();
  ctx.fillStyle = metal;
  ctx.fillRect(-0.36, -0.86, 0.72, 0.16);
  ctx.fillRect(-0.36, 0.7, 0.72, 0.16);
}

/** The fast lantern has a ribbon, so that it is recognisable while unlit. */
function ribbon(ctx, lit) {
  ctx.strokeStyle = lit ? '#ffe9a8' : '#b39c58';
  ctx.lineWidth = 0.09;
  ctx.lineCap = 'round';
  ctx.beginPath();
  ctx.moveTo(-0.5, 0.6);
  ctx.bezierCurveTo(-1, 1.1, -0.3, 1.5, -0.8, 2);
  ctx.moveTo(0.5, 0.6);
  ctx.bezierCurveTo(1, 1.1, 0.3, 1.5, 0.8, 2);
  ctx.stroke();
}

const SPRITE_RADII = 2.6;

/** Paints lanterns once per size and copies them, because gradients are expensive. */
export function lanternSprites(ratio) {
  const made = new Map();
  return (kind, lit, radius) => {
    const size = Math.ceil(radius);
    const key = `${kind} ${lit} ${size}`;
    if (!made.has(key)) {
      const sprite = document.createElement('canvas');
      sprite.width = sprite.height = Math.ceil(size * SPRITE_RADII * 2 * ratio);
      const ctx = sprite.getContext('2d');
      ctx.scale(ratio, ratio);
      ctx.translate(size * SPRITE_RADII, size * SPRITE_RADII);
      drawLantern(ctx, kind, { lit, radius: size });
      made.set(key, sprite);
    }
    return { image: made.get(key), half: size * SPRITE_RADII };
  };
}
