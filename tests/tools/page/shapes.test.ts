import { expect, it } from 'vitest';
import { isFaint, isLost, isOpaque, sheetOf } from '../../../lib/tools/page/colours.ts';
import {
  isClippedAway,
  isCut,
  isFilteredAway,
  isFlat,
  isFlatAlone,
  isMaskedAway,
} from '../../../lib/tools/page/shapes.ts';

it.each([
  ['matrix(0, 0, 0, 0, 0, 0)', true],
  ['matrix(1, 0, 0, 0, 5, 5)', true],
  ['matrix(0.05, 0, 0, 0.05, 0, 0)', true],
  ['matrix3d(0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1)', true],
  ['matrix3d(6.12323e-17, 0, -1, 0, 0, 1, 0, 0, 1, 0, 6.12323e-17, 0, 0, 0, 0, 1)', true],
  ['matrix(1, 0, 0, 1, -20, 0)', false],
  ['matrix(0, 1, -1, 0, 0, 0)', false],
  ['matrix(-1, 0, 0, 1, 0, 0)', false],
  ['matrix3d(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)', false],
])('a transform of no size or seen edge-on leaves nothing to see: %s, %s', (transform, flat) => {
  expect(isFlat(transform)).toBe(flat);
});

it.each([
  ['0', 'none', true],
  ['1 0', 'none', true],
  ['none', 'y 90deg', true],
  ['none', 'none', false],
  ['0.5', '90deg', false],
])('so do a scale of its own and a turn: %s, %s, %s', (scale, rotate, flat) => {
  expect(isFlatAlone(scale, rotate)).toBe(flat);
});

it.each([
  ['circle(0px at 50% 50%)', true],
  ['circle(0%)', true],
  ['ellipse(40px 0px at 0px 0px)', true],
  ['inset(50%)', true],
  ['inset(0px 60% 0px 40%)', true],
  ['inset(100% 0px 0px)', true],
  ['polygon(0px 0px, 0px 0px, 0px 0px)', true],
  ['polygon(evenodd, 0% 0%, 100% 0%, 50% 0%)', true],
  ['none', false],
  ['circle(at 0px 0px)', false],
  ['circle(50% at 0px 0px)', false],
  ['circle(0.1px)', true],
  ['circle(5px)', false],
  ['circle(closest-side at 50% 50%)', false],
  ['inset(125px 0px)', true],
  ['inset(49.9% 0px)', true],
  ['inset(50px 0px)', false],
  ['inset(0px -900px)', false],
  ['inset(calc(50% - 10px) 0px)', false],
  ['polygon(0px 0px, 1px 0px, 0px 1px)', true],
  ['polygon(50% 0px, calc(50% + 300px) 0px, 50% 100%)', false],
  ['inset(10px 0px 0px round 4px)', false],
  ['inset(49% 0px 50% 0px)', false],
  ['polygon(0px 0px, 100% 0px, 50% 100%)', false],
])('a clip path that cuts away all is told from others: %s, %s', (clipPath, away) => {
  expect(isClippedAway(clipPath, { width: 400, height: 250 })).toBe(away);
});

it.each([
  ['rect(0px, 0px, 0px, 0px)', true],
  ['rect(1px, 1px, 1px, 1px)', true],
  ['rect(0px, 1px, 20px, 0px)', true],
  ['rect(0px, 100px, 20px, 0px)', false],
  ['rect(auto, 0px, auto, auto)', false],
  ['auto', false],
])('so is a clip: %s, %s', (clip, cut) => {
  expect(isCut(clip)).toBe(cut);
});

it.each([
  ['linear-gradient(rgba(0, 0, 0, 0), rgba(0, 0, 0, 0))', 'auto', true],
  ['linear-gradient(rgb(0, 0, 0), rgb(0, 0, 0))', '0px 0px', true],
  ['linear-gradient(rgb(0, 0, 0), rgba(0, 0, 0, 0))', 'auto', false],
  ['linear-gradient(oklch(0 0 0), rgba(0, 0, 0, 0))', 'auto', false],
  ['url("https://a.example/mask.svg")', 'auto', false],
  ['none', 'auto', false],
])('so is a mask: %s, %s, %s', (image, size, away) => {
  expect(isMaskedAway(image, size)).toBe(away);
});

it.each([
  ['rgb(255, 255, 255)', 'rgb(255, 255, 255)', true],
  ['rgb(250, 250, 250)', 'rgb(255, 255, 255)', true],
  ['rgba(0, 0, 0, 0.03)', 'rgb(255, 255, 255)', true],
  ['rgb(221, 221, 221)', 'rgb(255, 255, 255)', false],
  ['rgb(255, 255, 0)', 'rgb(255, 255, 255)', false],
  ['rgb(255, 255, 255)', null, false],
  ['oklch(1 0 0)', 'rgb(255, 255, 255)', true],
  ['lab(100 0 0)', 'rgb(255, 255, 255)', true],
  ['color(srgb 1 1 1)', 'rgb(255, 255, 255)', true],
  ['color(display-p3 1 1 1)', 'lch(100 0 0)', true],
  ['oklch(0.627955 0.257683 29.2339)', 'rgb(255, 0, 0)', true],
  ['lab(54.2905 80.8049 69.891)', 'rgb(255, 0, 0)', true],
  ['color(srgb-linear 0.5 0.5 0.5)', 'rgb(188, 188, 188)', true],
  ['oklab(0 0 0 / 0.02)', 'rgb(255, 255, 255)', true],
  ['oklch(0.4 0.1 260)', 'rgb(255, 255, 255)', false],
  ['lab(0 0 0)', 'rgb(255, 255, 255)', false],
  ['color(xyz 1 1 1)', 'rgb(255, 255, 255)', false],
])('letters are lost on a ground of nearly their colour: %s on %s, %s', (ink, ground, lost) => {
  expect(isLost(ink, ground)).toBe(lost);
});

it('a colour of nearly no opacity is as good as none', () => {
  expect(
    ['rgba(0, 0, 0, 0)', 'rgba(9, 9, 9, 0.04)', 'rgba(0, 0, 0, 0.5)', 'rgb(0, 0, 0)'].map(isFaint),
  ).toEqual([true, true, false, false]);
});

it('a colour that nothing shows through is a ground, whatever its notation', () => {
  const colours = [
    'rgb(0, 0, 0)',
    'rgba(255, 255, 255, 0.99)',
    'oklch(0.5 0.1 200)',
    'rgba(0, 0, 0, 0.5)',
    'red',
  ];
  expect(colours.map(isOpaque)).toEqual([true, true, true, false, false]);
});

it.each([
  ['none', false],
  ['opacity(0.03)', true],
  ['opacity(1e-05)', true],
  ['blur(1e+06px)', true],
  ['blur(50px)', true],
  ['drop-shadow(rgb(0, 0, 0) 1px 1px 50px) blur(20px)', true],
  ['blur(4px)', false],
  ['brightness(2) opacity(0.5)', false],
])('a filter that leaves nothing to read is told from others: %s, %s', (filter, away) => {
  expect(isFilteredAway(filter)).toBe(away);
});

it('a background image of one colour is a ground, and no other is', () => {
  expect(sheetOf('linear-gradient(rgb(255, 255, 255), rgb(255, 255, 255))')).toBe('rgb(255, 255, 255)');
  expect(sheetOf('linear-gradient(rgb(255, 255, 255), rgb(0, 0, 0))')).toBeNull();
  expect(sheetOf('url("https://a.example/a.png")')).toBeNull();
});
