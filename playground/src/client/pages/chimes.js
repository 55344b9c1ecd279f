const KEY = 'playground.sound';
/** A pentatonic scale, in which all notes harmonise. */
const STEPS = [0, 2, 4, 7, 9, 12, 14, 16, 19, 21];
const BASE_HZ = 392;

/** Plays a small bell for every lantern, higher the longer the streak. */
export function newChimes() {
  let audio = null;
  let on = kept() !== 'off';

  function kept() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  }

  function ring(hz, volume, seconds) {
    const [tone, gain] = [audio.createOscillator(), audio.createGain()];
    tone.type = 'triangle';
    tone.frequency.value = hz;
    gain.gain.setValueAtTime(volume, audio.currentTime);
    gain.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + seconds);
    tone.connect(gain).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + seconds);
  }

  return {
    isOn: () => on,
    toggle() {
      on = !on;
      try {
        localStorage.setItem(KEY, on ? 'on' : 'off');
      } catch {
        // Without storage the choice lasts as long as the page.
      }
    },
    /** Browsers allow sound only after a user gesture. */
    wake() {
      audio ??= globalThis.AudioContext ? new AudioContext() : null;
      audio?.resume();
    },
    strike(streak, gained) {
      if (!on || !audio) return;
      const hz = BASE_HZ * 2 ** ((STEPS[Math.min(streak, STEPS.length - 1)] ?? 0) / 12);
      ring(hz, 0.11, 0.9);
      if (gained >= 10) ring(hz * 1.5, 0.07, 1.3);
    },
  };
}
