/** Documents as models write them, and as they should not: each is drawn whole and in pieces, and must come out the same. */
export const documents: Record<string, string> = {
  everything: `# A plan

Some **bold**, *it*, ***both***, ~~gone~~, \`code\`, [a link](https://example.com/a_b?c=d "T") and https://bare.example/x.
A line that follows. Prices: $5, $10 and US$20; a formula $x^2 + y_1$ and \\(a \\cdot b\\).

1. First
   \`\`\`js
   const a = [1, 2]; // two

   let b;
   \`\`\`
2. Second

   with a paragraph
   - nested **list**
     - deeper
3. Third
lazily going on

- [x] done
- [ ] open
* another list

| Name | Price | |
|:-----|------:|:-:|
| A \\| B | $5 | \`x\` |
| [ref] | **b** |

> A quote with *marks*
> - and a list
>
> \`\`\`
> code
> \`\`\`
going on

Text right above
| a | b |
| - | - |
| 1 | 2 |
- interrupts

Heading below
---

$$
\\frac{a}{b}
$$

\\[ x = 1 \\]

Note[^1], [ref], [named][Ref], ![pic](https://img.example/a.png), ![pic][ref].

[ref]: https://ref.example/ 'Title'
[^1]: The note
    goes on.

    And on.

***
`,
  fences:
    '```ts\nconst a = 1;\n\n\nconst b = `x`;\n```\n\n~~~~\n```\n~~~\n~~~~\n```\nnever closed\n\n  x\n\n',
  'fence in a list':
    '- a\n\n  ```py\n  def f():\n      pass\n  ```\n\n  b\n- c\n```\nout\n```\n1. x\n```sh\nls\n```\n2. y\n',
  indented: 'Text\n\n    code\n      more\n\n    last\n\n\tTab\n\nText\n',
  emphasis:
    'a **b *c* d** e _f_ g__h__ i*j*k **l\nm** *n **o*** p `` ` `` `a **b` c** ~~d~e~~ \\*f\\* 2 * 3 * 4 **unclosed *and',
  links:
    '[a](https://a.example) [b](<https://b.example/x y>) [c](https://c.example "t (x)") [d [e] f](https://d.example) <https://e.example> <m@x.example> www.f.example [g](javascript:alert(1)) [h]() [i](/rel) [j',
  prices: 'It is $5-$10, or $3.50 each; $x$ and $1+1$ and $a b$; $HOME and ${x}; costs $4, US$5 $ 6 $.',
  math: 'Inline $$a^2$$ and $\\alpha_1$ here. $$x$$\n\n$$\nnever\n\nclosed\n\n\\[\na\n\\]\nText $\\frac{1',
  html: 'a <b>bold</b> <kbd>K<i>x</kbd></i> <br> <script>alert(1)</script> <img src=x onerror=alert(1)>\n\n<div>\n<p>x</p>\n</div>\n\n<!-- c -->\n<details><summary>s</summary>\n\ntext\n\n</details>\n',
  'half a formula in a quote': '---\n\n> \\[^a]\nlazily\n---\n\n> $$\n> a\nlazily\n\nb\n',
  headings:
    '# a\n## b ##\ntext\n### c\n#d\n####### e\n#\n\nA\n=\nB\nC\n--\n-\n\n- x\n---\n- y\n* * *\n+ z\n_ _ _\n',
  'lazy and odd lists':
    '- a\nb\n\n\n- c\n\n      code\n -\n  d\n10) x\n11) y\n\n1. z\n   - p\n   q\n      r\n- - - a\n- 1. x\n  2. y\n*not\n+ \n+ e\n',
  quotes: '> a\nb\n> c\n\n> > d\n> e\n>\n> - f\n> g\n\n>h\n> # i\n> | a | b |\n> |---|---|\n> | 1 | 2 |\nx\n',
  tables:
    'a | b\n-|-\n1 | 2\n\n| a |\n|---|\n| `x | y` |\n| <b>x</b> | extra |\n||\n\n| a | b |\n|---|\n\n|x|\n|-\n| no table',
  notes:
    'a[^x] b[^y] c[^none]\n\n[^x]: X **b**\n[^y]: Y\n\n    - l\n    - m\n[^x]: again\n\nText[^y].\n- [^in]: x\n',
  references:
    '[a] [b][a] [c][] ![d][a]\n\n[A]: <https://a.example> "t"\n[a]: https://no.example\n[c]:\nhttps://c.example\n\n[a], [c] and [a][none]\n',
  'right to left': 'مرحبا **عالم** a\n\n- שלום\n- b\n\n> عربي `x`\n\n\u202eevil\u202c a\u2066b\n',
  'line ends': 'a\r\nb\r\n\r\n- c\r\n- d\r\r```\r\nx\r\n```\r\n\u0000\n\nlast  \nline\\\nend',
  pictographs: '👩‍👩‍👧‍👦 **👍🏽** 🏴󠁧󠁢󠁥󠁮󠁧󠁿\n\n- 👋\n\n`🎉` ~~🙂~~\n',
  'a long paragraph': `${'The *ship* sailed on, [slowly](https://a.example/b) and `surely`, for $5. '.repeat(60)}\n${'word_word '.repeat(300)}\n\n**${'never closed '.repeat(300)}`,
  'a long line': `${'x'.repeat(5000)} **b**\n${'- '.repeat(900)}a\n\`\`\`${'y'.repeat(1500)}\nz\n\`\`\`\n| ${'a | '.repeat(500)}\n`,
  'a long fence': `\`\`\`js\n${'function f(a) {\n  return `${a}` + 1; // c\n}\n\n'.repeat(60)}\`\`\`\nafter\n`,
  'a long list': Array.from({ length: 80 }, (_, at) => `${at + 1}. item **${at}**\n   - sub \`${at}\``).join(
    '\n',
  ),
  'a long table': `| a | b |\n|---|---|\n${Array.from({ length: 60 }, (_, at) => `| ${at} | *x${at}* |`).join('\n')}\n`,
  entities:
    '&amp; &lt;b&gt; &#106;avascript &copy &nosuch; [x](&#106;avascript:alert(1)) [y](https://a.example/?a=1&amp;b=2)\n',
};
