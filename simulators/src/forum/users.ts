/** Somebody who has an account at the forum. */
export type ForumUser = { id: string; name: string };

export const demoUsers: readonly ForumUser[] = [
  { id: '1001', name: 'Lantern Keeper' },
  { id: '1002', name: '夜雨' },
  { id: '1003', name: 'Night Watch' },
];

/** How Gatehouse is known at a forum. */
export type ForumClient = {
  /** Where browsers reach Gatehouse; its callback hangs off it. */
  publicUrl: string;
  clientId?: string;
  clientSecret?: string;
};

export const callbackOf = (publicUrl: string) => new URL('/api/forumauth/callback', publicUrl).href;
