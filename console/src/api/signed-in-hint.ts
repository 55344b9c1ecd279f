import { localValue } from '@gatehouse/web/ui/browser-storage';

/**
 * Whether this browser may have a session. Scripts cannot see its cookie, and asking without one only logs errors. A browser
 * that forgot the hint shows the login page.
 */
export const signedInHint = localValue('gatehouse.operator');
