import { afterEach, type TestContext } from 'vitest';
import { keepBrowsers } from './keep-browsers.ts';

afterEach(async ({ task }: TestContext) => {
  if (task.result?.state === 'fail')
    await keepBrowsers(`${task.file.name} ${task.name}`.replace(/^.*\//, ''));
});
