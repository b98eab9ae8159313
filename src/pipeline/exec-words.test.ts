import { expect, test } from 'vitest'
import { splitWords } from './exec-words.ts'

test.each([
  ["sed -e 's/a b/c/'", ['sed', '-e', 's/a b/c/']],
  ['  a   b  ', ['a', 'b']],
  ['a\\ b', ['a b']],
  ['"a \\" b"', ['a " b']],
  ['"a\\nb"', ['a\\nb']],
  ["'a\\b'", ['a\\b']],
  ['a\'b\'"c"', ['abc']],
  ["''", ['']],
  ['', []],
  ['  ', []],
  ['sh -c \'cat; echo "x"\' c\\ d', ['sh', '-c', 'cat; echo "x"', 'c d']],
  ['$HOME/x *', ['$HOME/x', '*']],
  ['"a\\$b\\`c\\\\d\\\ne"', ['a$b`c\\d\ne']],
  ["a\t'b\nc'", ['a', 'b\nc']],
  ["a 'b", undefined],
  ['a\\', undefined],
  ['a "b', undefined],
])('without a shell the words of %s are %j', (text, words) => {
  expect(splitWords(text)).toEqual(words)
})
