import { analyse } from 'scslre';

/** As far as ESLint's syntax tree is needed here. */
type Literal = { regex?: { pattern: string; flags: string } };
type Context = { report: (problem: { node: Literal; message: string }) => void };

const HOW = {
  Move: 'is tried again from each of its own characters: it takes the square of their number',
  Trade: 'can be shared out between two of its quantifiers in many ways',
  Self: 'can be shared out between the rounds of a quantifier in many ways',
};

/**
 * A rule of the linter: no regular expression whose time grows faster than the text, as far as one repeated character
 * shows it. What takes several (`<title<title`) is for tests/linear.test.ts.
 */
const linearRegex = {
  create: (context: Context) => ({
    Literal(node: Literal) {
      if (!node.regex) return;
      const { pattern: source, flags } = node.regex;
      const { reports } = analyse(
        { source, flags },
        { reportTypes: { Move: true, Trade: true, Self: true } },
      );
      for (const { type, character } of reports.slice(0, 1))
        context.report({
          node,
          message: `Super-linear: a run of ${JSON.stringify(character.pick)} ${HOW[type]}. Cut the text, or say why it is short.`,
        });
    },
  }),
};

export default { meta: { name: 'portside' }, rules: { 'linear-regex': linearRegex } };
