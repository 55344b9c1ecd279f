import { serveBrowser } from './browser.ts';

// The run's one browser, in a process of its own: the test runner starts it and reads where to connect.
const server = await serveBrowser();
console.log(server.wsEndpoint());
