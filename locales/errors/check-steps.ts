import type { CheckStep, Exit, LaunchFault } from '../../lib/types/native-host.ts';

type Words = { text: string; cause?: string; fix?: string };

const list = (parts: string[]): string => parts.join(', ');

/** Why a program could not be started. */
export function launchFault(fault: LaunchFault): Words {
  switch (fault.type) {
    case 'not_found':
      return notFound(fault);
    case 'no_program':
      return fault.why === 'folder'
        ? { text: `${fault.command} is a folder`, fix: 'Give the path of the program in it.' }
        : {
            text: `${fault.command} is there, but is not marked as a program`,
            fix: `Run: chmod +x "${fault.command}". Or give what runs it, such as node or python3, as the command, and the file as its argument.`,
          };
    case 'not_allowed':
      return {
        text: `${fault.command} is not allowed by the policy`,
        cause: fault.policy.problem ?? `Allowed: ${list(fault.policy.commands) || 'nothing'}`,
        fix:
          fault.policy.problem === undefined
            ? `Add it to ${fault.policy.file} if you may.`
            : `Mend ${fault.policy.file} or delete it, if you may: until then nothing may be started.`,
      };
    case 'no_folder':
      return fault.isRelative
        ? {
            text: `The working directory ${fault.cwd} is not a whole path`,
            fix: 'Give it from the top on, as in /home/you/project or C:\\project.',
          }
        : { text: `There is no folder ${fault.cwd}`, fix: 'Give another working directory.' };
    case 'batch_file':
      return {
        text: `${fault.command} is a batch file, which only a shell could run`,
        fix: 'Give the program that it starts as the command.',
      };
    case 'failed':
      return {
        text: `${fault.command} could not be started`,
        cause: fault.why,
        fix: 'Try the same command in a terminal.',
      };
  }
}

function notFound({ command, path, isLine, isSlow }: Extract<LaunchFault, { type: 'not_found' }>): Words {
  const isName = !/[\\/]/.test(command);
  const causes = [
    ...(path.length > 0
      ? [`Searched: ${list(path)}`]
      : isName
        ? ['PATH is empty: no folder was searched.']
        : []),
    ...(isSlow ? ['Your login shell did not tell its PATH in time, so there may be more folders.'] : []),
  ];
  const fix = isLine
    ? 'Give only the program as the command: what follows it belongs in the arguments.'
    : isName
      ? 'Install it, or give the command with its whole path.'
      : 'Check the path of the command.';
  return {
    text: `${command} was not found`,
    ...(causes.length > 0 && { cause: causes.join('\n') }),
    fix,
  };
}

function ended(exit: Exit): Words {
  if (exit.type === 'fault') return launchFault(exit.fault);
  if (exit.type !== 'ended') return { text: 'It was ended before it answered' };
  const how = exit.code === null ? (exit.signal ?? '') : `code ${exit.code}`;
  return {
    text: `It ended before it answered, with ${how}`,
    ...(exit.stderr.length > 0 && { cause: exit.stderr.join('\n') }),
    fix: 'Look at what it wrote last, and try the same command in a terminal.',
  };
}

/** What a step of a check found, and what to do about it. */
export const checkStep = (step: CheckStep): Words => {
  switch (step.step) {
    case 'command':
      return step.ok ? { text: `Command found at ${step.path}` } : launchFault(step.fault);
    case 'start':
      return step.ok ? { text: 'The program runs' } : ended(step.exit);
    case 'answer':
      if (!step.ok) {
        return {
          text: 'The program does not answer as an MCP server does',
          cause: [step.why, ...step.stderr].join('\n'),
          fix: 'Check that command and arguments start a server that speaks MCP over stdio.',
        };
      }
      return { text: `It answers: ${`${step.name} ${step.version}`.trim() || 'an MCP server'}` };
  }
};
