/**
 * What a user does to get there: a selector to press (`* .line`: everything that matches), or one and what to type, or what
 * is in the file to choose.
 */
export type Step = string | [field: string, text: string];

/** Does the steps, each as soon as it can be done. @throws Error when one cannot be */
export async function press(steps: Step[]): Promise<void> {
  for (const step of steps) {
    const [selector, text] = typeof step === 'string' ? [step] : step;
    const isEach = selector.startsWith('* ');
    const found = await appearing(isEach ? selector.slice(2) : selector);
    for (const element of isEach ? found : found.slice(0, 1)) {
      element.focus();
      if (text === undefined) element.click();
      else type(element, text);
    }
    // What comes up takes the focus then, and would close what the next step opens.
    await pause(60);
  }
}

/** Until all is drawn. */
export async function settle(): Promise<void> {
  await document.fonts.ready;
  await nextFrame();
}

export const pause = (ms: number): Promise<void> => new Promise((over) => setTimeout(over, ms));

const nextFrame = (): Promise<void> => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));

async function appearing(selector: string): Promise<HTMLElement[]> {
  for (let frame = 0; frame < 120; frame++) {
    const found = [...document.querySelectorAll<HTMLElement>(selector)];
    if (found.length > 0) return found;
    await nextFrame();
  }
  throw new Error(`Nothing in this state matches ${selector}.`);
}

function type(element: HTMLElement, text: string): void {
  if (element instanceof HTMLInputElement && element.type === 'file') return choose(element, text);
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) element.select();
  document.execCommand('insertText', false, text);
}

function choose(input: HTMLInputElement, text: string): void {
  const data = new DataTransfer();
  data.items.add(new File([text], 'settings.json', { type: 'application/json' }));
  input.files = data.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}
