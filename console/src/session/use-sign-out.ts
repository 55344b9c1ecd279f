import { useSubmit } from '@gatehouse/web/ui/use-submit';
import { useRouter } from 'vue-router';
import { failureOf } from '../api/failure.ts';
import { session } from './session.ts';

/** Ends the session at the service, then shows the login page. */
export function useSignOut() {
  const router = useRouter();
  return useSubmit(async () => {
    await session.signOut();
    await router.replace('/login');
  }, failureOf);
}
