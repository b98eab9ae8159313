import { expect, test } from 'vitest'
import { formatSelector, matchesSelector, parseLabelSelector } from './label-selector.ts'

test.each([
  { text: '', printed: '' },
  { text: ' app=web ', printed: 'app in (web)' },
  { text: 'app == web, tier!=db', printed: 'app in (web),tier notin (db)' },
  { text: 'app in (a, b),tier notin(c)', printed: 'app in (a,b),tier notin (c)' },
  { text: 'example.com/app,! old', printed: 'example.com/app,!old' },
  { text: 'app=', printed: 'app in ()' },
  { text: 'inside in (in,notin)', printed: 'inside in (in,notin)' },
])('"$text" is read', ({ text, printed }) => {
  const selector = parseLabelSelector(text)
  expect(selector && formatSelector(selector)).toBe(printed)
})

test.each([
  'app=web,',
  ',app',
  'app=a=b',
  '!app=web',
  'app in web',
  'app in ()x',
  'replicas>3',
  'a b',
  'app=-',
  '-app',
  `${'a'.repeat(64)}=b`,
])('"%s" is refused', (text) => {
  expect(parseLabelSelector(text)).toBeUndefined()
})

test('an object without the key fulfils !=, as on the API server', () => {
  const selector = parseLabelSelector('app!=web')
  expect(selector && matchesSelector(selector, new Map())).toBe(true)
})

test('a text made to cost is read in one pass', () => {
  expect(parseLabelSelector(`a${' '.repeat(100_000)}x`)).toBeUndefined()
  expect(parseLabelSelector(Array.from({ length: 20_000 }, (_, i) => `k${i}=v`).join(','))?.matchExpressions).toHaveLength(20_000)
})
