import { aroundEach } from 'vitest';
import { keepBrowsers } from './keep-browsers.ts';
import { inTest } from './open-browsers.ts';

aroundEach((runTest, { task }) =>
  inTest(task, async () => {
    await runTest();
    if (task.result?.state === 'fail')
      await keepBrowsers(`${task.file.name} ${task.fullTestName}`.replace(/^.*?([^/]*\.test\.ts)/, '$1'));
  }),
);
