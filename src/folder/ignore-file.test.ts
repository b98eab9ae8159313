import { expect, test } from 'vitest'
import { isIgnored, parseIgnoreFile } from './find-package-files.ts'

// What kpt 1.0.0-beta.56 left out of `kpt fn source` with such a file.
test.each([
  { reason: 'a name matches at any depth', file: 'x.yaml', ignored: ['x.yaml', 'deep/x.yaml'], kept: ['xx.yaml'] },
  { reason: 'a leading slash means here', file: '/x.yaml', ignored: ['x.yaml'], kept: ['deep/x.yaml'] },
  {
    reason: 'a pattern with slashes inside matches at any depth, unlike git',
    file: 'in/z*.yaml',
    ignored: ['in/z1.yaml', 'a/in/z1.yaml'],
    kept: ['z1.yaml'],
  },
  { reason: 'a folder pattern does not match a file', file: 'keep/', ignored: [], kept: ['keep'] },
  { reason: '** is one step', file: 'sub/**', ignored: ['sub/x.yaml'], kept: ['sub/a/x.yaml'] },
  { reason: '! wins before and after', file: '!good.yaml\n*.yaml', ignored: ['x.yaml'], kept: ['good.yaml', 'a/good.yaml'] },
  { reason: 'blanks around a line do not count', file: '  spaced.yaml  ', ignored: ['spaced.yaml'], kept: [] },
  { reason: '# begins a comment, \\# a name', file: '#a\n\\#h.yaml', ignored: ['#h.yaml'], kept: ['#a', 'a'] },
  { reason: 'lines may end with CRLF', file: 'a.yaml\r\nb.yaml\r\n', ignored: ['a.yaml', 'b.yaml'], kept: ['c.yaml'] },
  { reason: 'slashes alone say nothing', file: '/\n//\n!\n', ignored: [], kept: ['a', 'a/b'] },
])('$reason', ({ file, ignored, kept }) => {
  const rules = parseIgnoreFile(file)
  expect([...ignored, ...kept].filter((path) => isIgnored(rules, path, 'file'))).toEqual(ignored)
})

test('a folder pattern matches folders', () => {
  expect(isIgnored(parseIgnoreFile('keep/'), 'a/keep', 'folder')).toBe(true)
})
