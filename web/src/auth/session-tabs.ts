import { watch } from 'vue';
import { localValue } from '../ui/browser-storage.ts';
import { session } from './session.ts';

type Message =
  | { readonly type: 'ask' }
  | { readonly type: 'answer'; readonly token: string; readonly zone: number | null }
  | { readonly type: 'replace'; readonly token: string; readonly by: string }
  | { readonly type: 'end'; readonly token: string };

/** An open tab answers within milliseconds, unless the browser has suspended it. */
const ANSWER_MS = 200;

/** Whether another tab may be logged in. If not, there is no need to wait for an answer. */
const someTab = localValue('gatehouse.open');

interface Handlers {
  /** Called if an answer arrives after the page was shown. */
  readonly onJoin: () => void;
  /** Called when another tab has logged out. */
  readonly onEnd: () => void;
}

/**
 * Shares the session between tabs. The token is in the session storage, which is per tab: a new tab asks the open ones for it,
 * and all tabs with the same token log out together. Resolves once it is known whether this tab is logged in.
 */
export async function shareSession({ onJoin, onEnd }: Handlers): Promise<void> {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel('gatehouse.session');
  const tell = (message: Message) => channel.postMessage(message);
  let answered = () => {};
  let asking = false;
  let shown = false;

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    const { value: token } = session.token;
    if (data.type === 'ask' && token) tell({ type: 'answer', token, zone: session.lastZone.value });
    if (data.type === 'answer' && asking && !token) {
      asking = false;
      session.join(data.token, data.zone);
      answered();
      if (shown) onJoin();
    }
    // A new password or name revokes every token except the new one.
    if (data.type === 'replace' && data.token === token) session.join(data.by, session.lastZone.value);
    if (data.type === 'end' && data.token === token) {
      session.end();
      onEnd();
    }
  };

  watch(
    session.token,
    (now, before) => {
      if (now) someTab.set('1');
      else someTab.remove();
      if (before) tell(now ? { type: 'replace', token: before, by: now } : { type: 'end', token: before });
      asking = false;
    },
    { flush: 'sync' },
  );

  if (!session.signedIn.value && someTab.get()) {
    asking = true;
    tell({ type: 'ask' });
    // Answers arrive in a later turn, after the promise is created.
    await new Promise<void>((resolve) => {
      answered = resolve;
      setTimeout(resolve, ANSWER_MS);
    });
  }
  shown = true;
}
