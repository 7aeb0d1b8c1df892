import { describe, expect, it } from 'vitest';
import { withoutStyles } from '../../../../lib/tools/page/reading/unstyled.ts';

describe('HTML without its styles', () => {
  it.each([
    ['<p>a</p><STYLE media=x>p { }</style >b', '<p>a</p>b'],
    ['<p style="color:red">a', '<p data-style="color:red" >a'],
    ['<p class="a"style="display:none">a', '<p class="a"  data-style="display:none" >a'],
    ["<p STYLE = 'x' id=b>a", "<p  data-STYLE = 'x'  id=b >a"],
    ['<p style=x>a', '<p data-style=x >a'],
    ['write style = bold, 1 < 2 <3', 'write style = bold, 1 < 2 <3'],
    ['<a title="no style = here">a</a>', '<a title="no style = here" >a</a>'],
    ['<script>"<p style=x>"</script>a', 'a'],
    ['<textarea><p style=x></textarea>a', '<textarea><p style=x></textarea>a'],
    ['a<!-- <p style=x> -->b', 'ab'],
    ['a<!-->b', 'ab'],
    ['a<br/>b<img src=/x/>c', 'a<br/>b<img src=/x/ >c'],
    ['<p data-style="" style=x>a', '<p data-data-style="" data-style=x >a'],
    ['<svg><style/></svg>a', '<svg></svg>a'],
    ['a<plaintext><p style=x>', 'a<plaintext><p style=x>'],
    ['a<style>b', 'a'],
    ['a<p title="b', 'a'],
    ['a<p style', 'a'],
    ['<p hidden style>a', '<p hidden  data-style >a'],
  ])('%s', (html, plain) => {
    expect(withoutStyles(html).html.replaceAll(/ +/g, ' ')).toBe(plain.replaceAll(/ +/g, ' '));
  });

  it.each(['<style ', '<', '<p "', '<p =', '<!--', '<p style="', '<textarea>', '<p a=', '</'])(
    'takes a broken text of many %s in one pass',
    (piece) => {
      // A second pass for each of them would last for minutes.
      expect(withoutStyles(piece.repeat(400_000)).html.length).toBeLessThan(5_000_000);
    },
  );

  it.each(['<div>', '<a><font>x', '<b><p>', '<DIV class=x>', '<div></b>', '<a><div></a>'])(
    'ends where a page nests too deep: %s',
    (piece) => {
      const { html, isCut } = withoutStyles(`<p>Words</p>${piece.repeat(40_000)}`);
      expect(isCut).toBe(true);
      expect(html).toContain('Words');
      expect(html.match(/<[a-z]/gi)?.length).toBeLessThan(8_000);
    },
  );

  it('takes what ends by itself, and what is closed, for no nesting', () => {
    const page = '<ul><li>One<p>Two<br></ul><div><span>x</span></div><table><tr><td>1</table>'.repeat(5_000);
    expect(withoutStyles(page).isCut).toBe(false);
  });
});
