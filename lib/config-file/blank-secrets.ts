import { decoded } from '../types/answers.ts';
import { soundsSecret } from '../types/names.ts';

/** Takes the place of a secret; `name` says what it is called where it stands. */
type Open = (name: string) => string;

/** An address, without what its query or fragment calls a key or a token and without a password. */
export function openInAddress(address: string, open: Open): string {
  return address
    .replace(/([?&#])([^=?&#\s]+)=([^&#\s]+)/g, (whole, before: string, name: string, value: string) =>
      isSecret(decoded(name), value) ? `${before}${name}=${open(decoded(name))}` : whole,
    )
    .replace(
      /(?<![\w+.-])([\w+.-]+:\/\/[^\s/@:]*:)([^\s/@]+)(?=@)/gi,
      (whole, before: string, value: string) => (isOpen(value) ? whole : `${before}${open('password')}`),
    );
}

/**
 * A program's arguments, without the values that they call a key or a token: `--api-key sk-1`, `--token=sk-1`,
 * `-e TOKEN=sk-1`, `--env=TOKEN=sk-1`, `--header "X-Any: sk-1"`, `{"apiKey":"sk-1"}`, `Server=a;Password=b`, those of
 * addresses, and tokens by their form.
 */
export function openInArguments(args: string[], open: Open): string[] {
  return args.map((arg, index) => {
    const before = args[index - 1] ?? '';
    const isFlag = /^-[^=\s]*$/.test(before);
    if (isFlag && !arg.startsWith('-') && isSecret(nameOf(before), arg)) return open(nameOf(before));
    return openInArgument(arg, HEADER_FLAG.test(before), open);
  });
}

const HEADER_FLAG = /^(-H|--headers?)$/;
/** As these services write them. */
const TOKEN = /\b(?:gh[oprsu]_|github_pat_|glpat-|xox[abeoprs]-|sk-|hf_)[\w-]{16,}/g;

function openInArgument(arg: string, isHeader: boolean, open: Open): string {
  const [, name = '', sign, value = ''] = /^([\w.-]+)(=|:(?!\/\/)\s*(?=\S))(.+)$/s.exec(arg) ?? [];
  // The values of headers are secret, whatever they are called.
  if (isSecret(isHeader ? 'secret' : name, value)) return `${name}${sign}${open(nameOf(name))}`;
  if (name.startsWith('-') && sign === '=')
    return `${name}=${openInArgument(value, HEADER_FLAG.test(name), open)}`;
  return openInAddress(arg, open)
    .replace(
      /"([^"\\]+)"(\s*:\s*)"((?:[^"\\]|\\.)+)"/g,
      (whole, key: string, between: string, text: string) =>
        isSecret(key, text) ? `"${key}"${between}"${open(key)}"` : whole,
    )
    .replace(/(?<![^;\s])([\w.-]+)=([^;\s]+)/g, (whole, key: string, text: string) =>
      isSecret(key, text) ? `${key}=${open(key)}` : whole,
    )
    .replace(/\b(bearer )(\S+)/gi, (whole, before: string, text: string) =>
      isOpen(text) ? whole : `${before}${open('token')}`,
    )
    .replace(TOKEN, () => open('token'));
}

/** What is open already stays as it is. */
const isOpen = (value: string): boolean => /^((bearer|basic|token) )?\$\{[^{}]*\}$/i.test(value);
const isSecret = (name: string, value: string): boolean =>
  (soundsSecret(name) || /^(bearer|pwd?)$/i.test(name)) && value !== '' && !isOpen(value);

const nameOf = (flag: string): string => flag.replace(/^-+/, '');
