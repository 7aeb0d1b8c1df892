import { aroundEach } from 'vitest';
import { keepBrowsers } from './keep-browsers.ts';
import { inTest } from './open-browsers.ts';

aroundEach((runTest, { task }) =>
  inTest(task, async () => {
    await runTest();
    if (task.result?.state !== 'fail') return;
    const title = `${task.file.name} ${task.fullTestName}`.replace(/^.*?([^/]*\.test\.ts)/, '$1');
    const seen = await keepBrowsers(title);
    // Where the files are out of reach, this is what there is.
    const [error] = task.result.errors ?? [];
    if (error) error.message += seen;
  }),
);
