import { serveBrowser } from './browser.ts';

// The run's shared browser, in its own process: the test runner starts it and reads its address.
const server = await serveBrowser();
console.log(server.wsEndpoint());
