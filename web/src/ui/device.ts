export interface Device {
  readonly device: string;
  readonly os: string;
  readonly browse: string;
}

/** Describes the device for registration, coarsely and from the user agent alone. */
export function describeDevice(userAgent: string, touchPoints = 0): Device {
  // An iPad claims to be a Mac; only its touch screen gives it away.
  const iPad = /iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1);
  return { device: deviceIn(userAgent, iPad), os: osIn(userAgent, iPad), browse: browserIn(userAgent) };
}

/** Describes a user agent by browser and system, without versions; empty if neither is known. */
export function agentWords(userAgent: string): string {
  const { browse, os } = describeDevice(userAgent);
  return [browse.replace(/ \d+$/, ''), os].filter(Boolean).join(' · ');
}

function deviceIn(ua: string, iPad: boolean): string {
  if (iPad) return 'iPad';
  if (/iPhone/.test(ua)) return 'iPhone';
  const model = /Android [^;)]*; ([^;)]+?)(?: Build\/[^;)]*)?[;)]/.exec(ua)?.[1];
  if (model) return model.slice(0, 128);
  return /Mobi/.test(ua) ? 'phone' : 'desktop';
}

function osIn(ua: string, iPad: boolean): string {
  const apple = /(?:iPhone )?OS (\d+)[_.](\d+)/.exec(ua);
  if (iPad) return apple && !/Macintosh/.test(ua) ? `iPadOS ${apple[1]}.${apple[2]}` : 'iPadOS';
  if (/iPhone/.test(ua)) return apple ? `iOS ${apple[1]}.${apple[2]}` : 'iOS';
  const android = /Android (\d+(?:\.\d+)?)/.exec(ua);
  if (android) return `Android ${android[1]}`;
  if (/HarmonyOS/.test(ua)) return 'HarmonyOS';
  if (/Windows NT/.test(ua)) return 'Windows';
  if (/Macintosh/.test(ua)) return 'macOS';
  return /Linux|X11/.test(ua) ? 'Linux' : '';
}

// The order matters: most browsers also claim to be Chrome, and Chrome claims to be Safari.
const browsers: readonly [name: string, version: RegExp][] = [
  ['WeChat', /MicroMessenger\/(\d+)/],
  ['QQ Browser', /MQQBrowser\/(\d+)/],
  ['UC Browser', /UCBrowser\/(\d+)/],
  ['Edge', /Edg(?:A|iOS)?\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Samsung Internet', /SamsungBrowser\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+)[^ ]* .*Safari/],
];

function browserIn(ua: string): string {
  for (const [name, version] of browsers) {
    const found = version.exec(ua);
    if (found) return `${name} ${found[1]}`;
  }
  return '';
}
