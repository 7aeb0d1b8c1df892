import type { CheckStep, Exit, LaunchFault } from '../lib/types/native-host.ts';
import { t } from './texts/errors.ts';
import { units } from './units.ts';

type Words = { text: string; cause?: string; fix?: string };

/** Why a program could not be started. */
export function launchFault(fault: LaunchFault): Words {
  switch (fault.type) {
    case 'not_found':
      return notFound(fault);
    case 'no_program': {
      const { command } = fault;
      return fault.why === 'folder'
        ? t(($) => $.checkSteps.folder, { command })
        : t(($) => $.checkSteps.notExecutable, { command });
    }
    case 'not_allowed': {
      const { command, policy } = fault;
      const { file, problem } = policy;
      if (problem !== undefined)
        return { ...t(($) => $.checkSteps.badPolicy, { command, file }), cause: problem };
      const commands = units.commas(policy.commands) || t(($) => $.checkSteps.nothing);
      return t(($) => $.checkSteps.notAllowed, { command, commands, file });
    }
    case 'no_folder':
      return fault.isRelative
        ? t(($) => $.checkSteps.relativeFolder, { cwd: fault.cwd })
        : t(($) => $.checkSteps.noFolder, { cwd: fault.cwd });
    case 'batch_file':
      return t(($) => $.checkSteps.batchFile, { command: fault.command });
    case 'failed':
      return { ...t(($) => $.checkSteps.failed, { command: fault.command }), cause: fault.why };
  }
}

function notFound({ command, path, isLine, isSlow }: Extract<LaunchFault, { type: 'not_found' }>): Words {
  const isName = !/[\\/]/.test(command);
  const causes = [
    ...(path.length > 0
      ? [t(($) => $.checkSteps.notFound.searched, { path: units.commas(path) })]
      : isName
        ? [t(($) => $.checkSteps.notFound.noPath)]
        : []),
    ...(isSlow ? [t(($) => $.checkSteps.notFound.slow)] : []),
  ];
  return {
    text: t(($) => $.checkSteps.notFound.text, { command }),
    ...(causes.length > 0 && { cause: causes.join('\n') }),
    fix: t(($) => $.checkSteps.notFound[isLine ? 'isLine' : isName ? 'isName' : 'isPath']),
  };
}

function ended(exit: Exit): Words {
  if (exit.type === 'fault') return launchFault(exit.fault);
  if (exit.type !== 'ended') return { text: t(($) => $.checkSteps.stopped) };
  const { code, signal, stderr } = exit;
  const how = code === null ? (signal ?? '') : t(($) => $.checkSteps.code, { code });
  return {
    ...t(($) => $.checkSteps.ended, { how }),
    ...(stderr.length > 0 && { cause: stderr.join('\n') }),
  };
}

/** What a step of a check found, and what to do about it. */
export function checkStep(step: CheckStep): Words {
  switch (step.step) {
    case 'command':
      return step.ok ? { text: t(($) => $.checkSteps.found, { path: step.path }) } : launchFault(step.fault);
    case 'start':
      return step.ok ? { text: t(($) => $.checkSteps.runs) } : ended(step.exit);
    case 'answer': {
      if (!step.ok)
        return { ...t(($) => $.checkSteps.noAnswer), cause: [step.why, ...step.stderr].join('\n') };
      const who = `${step.name} ${step.version}`.trim() || t(($) => $.checkSteps.anMcpServer);
      return { text: t(($) => $.checkSteps.answers, { who }) };
    }
  }
}
