import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { shellPath, shellPattern, shellWord } from './shell-word.ts'

/** Returns the words that a shell reads in a text. */
const wordsOf = (text: string) =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${text}`], { encoding: 'utf8', cwd: '/' })
    .split('\0')
    .slice(0, -1)

test.each(['web', 'my fleet', "it's", '$(id)', 'a;b', '*', '~', '', '`id`', 'a\nb', '"', 'clusters/a&b'])(
  'a shell reads the word %j back',
  (word) => {
    expect(wordsOf(shellWord(word))).toEqual([word])
  },
)

test.each(['web', 'catalog/web@v1', '--set', 'a=b,c:d+e%f'])('the plain word %s has no quotes', (word) => {
  expect(shellWord(word)).toBe(word)
})

test('a path that begins with a hyphen is no option', () => {
  expect(shellPath('-my fleet')).toBe("'./-my fleet'")
})

test('the stars of a pattern are for the shell, and blanks are not', () => {
  expect(shellPattern('my apps/*.yaml')).toBe("'my apps/'*.yaml")
  expect(shellPattern('*')).toBe('*')
})
