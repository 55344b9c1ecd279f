export function vertical(ctx, y, height, ...stops) {
  const gradient = ctx.createLinearGradient(0, y, 0, y + height);
  for (const [index, colour] of stops.entries()) gradient.addColorStop(index / (stops.length - 1), colour);
  return gradient;
}

/** Draws a soft light: full strength in the middle, none at its rim. */
export function disc(ctx, x, y, radius, colour, strength) {
  const light = ctx.createRadialGradient(x, y, 0, x, y, radius);
  light.addColorStop(0, `rgb(${colour} / ${strength}%)`);
  light.addColorStop(0.5, `rgb(${colour} / ${strength * 0.28}%)`);
  light.addColorStop(1, `rgb(${colour} / 0%)`);
  ctx.fillStyle = light;
  ctx.fillRect(x - radius, y - radius, radius * 2, radius * 2);
}

/** Deterministic noise: the same sky for the same size. */
export function seeded(seed) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

/** Clips drawing to a shape. */
export function within(ctx, path, draw) {
  ctx.save();
  ctx.clip(path);
  draw();
  ctx.restore();
}
