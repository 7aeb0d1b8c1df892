import type { Prompt, PromptArgument, Resource, ResourceTemplate } from '../../types/offer.ts';
import type { Icon } from '../../types/picture.ts';
import type { ListOptions } from './pages.ts';
import { isRecord } from '../../json.ts';
import { cut, isText, type Raw } from '../content/raw.ts';
import { t } from '../../../locales/texts/errors.ts';

type Problems = Pick<ListOptions, 'onProblem'>;

const MOST_NAME = 500;
const MOST_TITLE = 200;
const MOST_DESCRIPTION = 5_000;
const MOST_URI = 8_000;
const MOST_ARGUMENTS = 100;
const MOST_ICONS = 4;
/** Characters of an icon that is part of the message itself, and of an address. */
const MOST_ICON_DATA = 64_000;
const MOST_ICON_ADDRESS = 2_000;

/** The entries of `prompts/list` that can be used. */
export function readPrompts(entries: unknown[], problems: Problems): Prompt[] {
  return distinct(
    t(($) => $.errors.offer.kinds.prompt),
    entries,
    'name',
    problems,
    (entry, name) => ({
      name,
      ...titled(entry),
      arguments: readArguments(entry['arguments']),
    }),
  );
}

/** The entries of `resources/list` that can be used. */
export function readResources(entries: unknown[], problems: Problems): Resource[] {
  return distinct(
    t(($) => $.errors.offer.kinds.resource),
    entries,
    'uri',
    problems,
    (entry, uri) => {
      const size = entry['size'];
      return {
        uri,
        ...resourceBase(entry, uri),
        ...(typeof size === 'number' && size >= 0 && { size }),
      };
    },
  );
}

/** The entries of `resources/templates/list` that can be used. */
export function readTemplates(entries: unknown[], problems: Problems): ResourceTemplate[] {
  return distinct(
    t(($) => $.errors.offer.kinds.template),
    entries,
    'uriTemplate',
    problems,
    (entry, uriTemplate) => ({
      uriTemplate,
      ...resourceBase(entry, uriTemplate),
    }),
  );
}

/** A few icons of bounded size; undefined when there is none that could be shown. */
export function readIcons(value: unknown): Icon[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const icons = value.slice(0, 20).flatMap((icon): Icon[] => {
    if (!isRecord(icon) || !isIconAddress(icon['src'])) return [];
    const mimeType = cut(icon['mimeType'], 100);
    const sizes = [icon['sizes']]
      .flat()
      .filter(isText)
      .slice(0, 8)
      .map((size) => cut(size, 20));
    return [{ src: icon['src'], ...(mimeType && { mimeType }), ...(sizes.length > 0 && { sizes }) }];
  });
  return icons.length > 0 ? icons.slice(0, MOST_ICONS) : undefined;
}

function isIconAddress(src: unknown): src is string {
  if (!isText(src)) return false;
  return /^data:image\//i.test(src)
    ? src.length <= MOST_ICON_DATA
    : /^https:\/\//i.test(src) && src.length <= MOST_ICON_ADDRESS;
}

/** Reads each entry that has a usable `key`, the first of each. */
function distinct<T>(
  what: string,
  entries: unknown[],
  key: string,
  { onProblem }: Problems,
  read: (entry: Raw, id: string) => T,
): T[] {
  const seen = new Set<string>();
  return entries.flatMap((entry) => {
    const id = isRecord(entry) ? entry[key] : undefined;
    if (!isRecord(entry) || !isText(id) || id === '' || id.length > MOST_URI) {
      onProblem?.(t(($) => $.errors.offer.noKey, { what, key }));
      return [];
    }
    if (seen.has(id)) {
      onProblem?.(t(($) => $.errors.offer.twice, { what, id: cut(id, MOST_TITLE) }));
      return [];
    }
    seen.add(id);
    return [read(entry, id)];
  });
}

function titled(entry: Raw): { title?: string; description: string; icons?: Icon[] } {
  const title = cut(entry['title'], MOST_TITLE);
  const icons = readIcons(entry['icons']);
  return {
    ...(title && { title }),
    description: cut(entry['description'], MOST_DESCRIPTION),
    ...(icons && { icons }),
  };
}

function readArguments(value: unknown): PromptArgument[] {
  if (!Array.isArray(value)) return [];
  const seen = new Set<string>();
  return value.slice(0, MOST_ARGUMENTS).flatMap((each): PromptArgument[] => {
    const name = isRecord(each) ? each['name'] : undefined;
    if (!isRecord(each) || !isText(name) || name === '' || name.length > MOST_NAME || seen.has(name))
      return [];
    seen.add(name);
    const title = cut(each['title'], MOST_TITLE);
    return [
      {
        name,
        ...(title && { title }),
        description: cut(each['description'], MOST_DESCRIPTION),
        required: each['required'] === true,
      },
    ];
  });
}

function resourceBase(entry: Raw, id: string): Omit<Resource, 'uri' | 'size'> {
  const mimeType = cut(entry['mimeType'], 200);
  const annotations = readAnnotations(entry['annotations']);
  return {
    name: cut(entry['name'], MOST_NAME) || id,
    ...titled(entry),
    ...(mimeType && { mimeType }),
    ...(annotations && { annotations }),
  };
}

function readAnnotations(value: unknown): Resource['annotations'] | undefined {
  if (!isRecord(value)) return undefined;
  const audience = [value['audience']].flat().filter((who) => who === 'user' || who === 'assistant');
  const { priority } = value;
  const lastModified = cut(value['lastModified'], 50);
  const found = {
    ...(audience.length > 0 && { audience: [...new Set(audience)] }),
    ...(typeof priority === 'number' && priority >= 0 && priority <= 1 && { priority }),
    ...(lastModified && { lastModified }),
  };
  return Object.keys(found).length > 0 ? found : undefined;
}
