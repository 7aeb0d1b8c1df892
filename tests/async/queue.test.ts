import { describe, expect, it } from 'vitest';
import { createQueue } from '../../lib/async.ts';

const never = new AbortController().signal;

/** Jobs that say when they began and end when told. */
function createJobs(): {
  began: string[];
  job: (name: string) => () => Promise<void>;
  end: (name: string) => void;
} {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    began,
    job: (name) => () => {
      began.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    },
    end: (name) => ends.get(name)?.(),
  };
}

describe('the queue of calls', () => {
  it('starts the next in line when one ends, first come first served', async () => {
    const { began, job, end } = createJobs();
    const queue = createQueue(() => 1);
    const first = queue.run('a', never, job('1'));
    const second = queue.run('a', never, job('2'));
    void queue.run('a', never, job('3'));
    expect(began).toEqual(['1']);
    end('1');
    await first;
    await Promise.resolve();
    expect(began).toEqual(['1', '2']);
    end('2');
    await second;
    await Promise.resolve();
    expect(began).toEqual(['1', '2', '3']);
  });

  it('holds up no other origin', () => {
    const { began, job } = createJobs();
    const queue = createQueue(() => 1);
    void queue.run('a', never, job('a'));
    void queue.run('b', never, job('b'));
    expect(began).toEqual(['a', 'b']);
  });

  it('lets a cancelled one leave at once and never starts it', async () => {
    const { began, job, end } = createJobs();
    const queue = createQueue(() => 1);
    const stop = new AbortController();
    const first = queue.run('a', never, job('1'));
    const second = queue.run('a', stop.signal, job('2'));
    const third = queue.run('a', never, job('3'));
    stop.abort(new Error('stopped'));
    await expect(second).rejects.toThrow('stopped');
    end('1');
    await first;
    await Promise.resolve();
    end('3');
    await third;
    expect(began).toEqual(['1', '3']);
  });

  it('frees the place of a job that throws', async () => {
    const queue = createQueue(() => 1);
    await expect(queue.run('a', never, () => Promise.reject(new Error('broke')))).rejects.toThrow('broke');
    await expect(queue.run('a', never, async () => 'ran')).resolves.toBe('ran');
  });

  it('starts more at once when there is room for more, and fewer when there is for fewer', async () => {
    let limit = 2;
    const { began, job, end } = createJobs();
    const queue = createQueue(() => limit);
    const jobs = ['1', '2', '3', '4', '5'].map((name) => queue.run('a', never, job(name)));
    limit = 1;
    end('1');
    await jobs[0];
    await Promise.resolve();
    expect(began).toEqual(['1', '2']);
    limit = 2;
    end('2');
    await jobs[1];
    await Promise.resolve();
    expect(began).toEqual(['1', '2', '3', '4']);
  });
});
