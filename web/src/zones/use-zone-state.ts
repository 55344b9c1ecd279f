import type { ListedZone } from '@gatehouse/contract/player';
import { computed, onScopeDispose, watch } from 'vue';
import { useTexts } from '../i18n/use-texts.ts';
import { useCountdown } from '../ui/use-countdown.ts';
import { canEnter, clock, reopensAt, stateOf } from './zones.ts';

const DAY_SECONDS = 24 * 3600;
/** From this many days on, the countdown shows whole days only. */
const LAST_DAYS = 30;
/** By then every instance lists the zone as open. */
const RELOAD_AFTER_MS = 2000;

/** Describes a zone's current state. Calls `onDue` when a scheduled change is due, because the list is then out of date. */
export function useZoneState(zone: () => ListedZone, onDue: () => void) {
  const { t, number } = useTexts();
  const { left, start } = useCountdown();
  let reload: ReturnType<typeof setTimeout> | undefined;

  watch(
    () => reopensAt(zone()),
    (time) => start(Math.max(0, (Date.parse(time ?? '') - Date.now()) / 1000 || 0)),
    { immediate: true },
  );
  watch(left, (seconds, before) => {
    clearTimeout(reload);
    if (seconds === 0 && before > 0) reload = setTimeout(onDue, RELOAD_AFTER_MS);
  });
  onScopeDispose(() => clearTimeout(reload));

  const enterable = computed(() => left.value === 0 && canEnter(zone()));
  // Depends on `left`, so that it is recomputed when the time has come.
  const state = computed(() => (left.value >= 0 ? stateOf(zone()) : zone().status));

  const countdown = computed(() => {
    if (left.value === 0) return '';
    const days = Math.floor(left.value / DAY_SECONDS);
    const rest = clock(left.value % DAY_SECONDS);
    let time = days > 0 ? t('home.days', { days, time: rest }) : rest;
    if (days >= LAST_DAYS) time = t('home.wholeDays', { days: number(days) });
    return t(zone().status === 'maintenance' ? 'home.backIn' : 'home.opensIn', { time });
  });

  /** The operator's message, or what the state means for players. */
  const reason = computed(() => {
    const { message } = zone();
    if (message) return message;
    return state.value === 'busy' || state.value === 'full' || state.value === 'unreached'
      ? t(`zoneWhy.${state.value}`)
      : '';
  });

  const label = computed(() =>
    state.value === 'upcoming' || state.value === 'unreached'
      ? t(`home.${state.value}`)
      : t(`zoneStatus.${state.value}`),
  );

  return { enterable, state, label, countdown, reason };
}
