import { watch } from 'vue';
import { localValue } from '../ui/browser-storage.ts';
import { session } from './session.ts';

type Message =
  | { readonly type: 'ask' }
  | { readonly type: 'answer'; readonly token: string; readonly zone: number | null }
  | { readonly type: 'replace'; readonly token: string; readonly by: string }
  | { readonly type: 'end'; readonly token: string };

/** An open tab answers within milliseconds, unless the browser has put it to sleep. */
const ANSWER_MS = 200;

/** Whether another tab may be signed in: where none is, nobody waits for an answer. */
const someTab = localValue('gatehouse.open');

interface Handlers {
  /** An answer came after all, when the page was shown already. */
  readonly onJoin: () => void;
  /** Another tab has signed out. */
  readonly onEnd: () => void;
}

/**
 * The token is in the session storage, which each tab has for itself: a new tab asks the open ones for it, and all that
 * have the same token sign out together. Settles once it is known whether this tab is signed in.
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
    // A new password or name ends every token but a new one.
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
    // Answers come in a later turn: the promise is there by then.
    await new Promise<void>((resolve) => {
      answered = resolve;
      setTimeout(resolve, ANSWER_MS);
    });
  }
  shown = true;
}
