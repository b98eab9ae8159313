import { expect, test } from 'vitest'
import { stylesFor } from './styles.ts'

test.each([
  { environment: {}, asked: {}, printed: '\u001B[31mx\u001B[0m' },
  { environment: { TERM: 'xterm' }, asked: {}, printed: '\u001B[31mx\u001B[0m' },
  { environment: { TERM: 'dumb' }, asked: {}, printed: 'x' },
  { environment: { TERM: 'dumb', FORCE_COLOR: '1' }, asked: {}, printed: '\u001B[31mx\u001B[0m' },
  { environment: { TERM: 'dumb' }, asked: { color: true }, printed: '\u001B[31mx\u001B[0m' },
])('on a terminal with $environment, asked for $asked', ({ environment, asked, printed }) => {
  expect(stylesFor({ environment, isTerminal: true }, asked).error('x')).toBe(printed)
})
