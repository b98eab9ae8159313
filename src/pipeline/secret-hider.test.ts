import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { secretHider, withTexts } from './secret-hider.ts'

/** Returns a text as it is shown when a program got some objects and printed a list. */
function shown(text: string, received: readonly string[], stdout = ''): string {
  const items = received.map((object) => ({ object: KrmObject.fromDocument(object), folder: '', path: 'a.yaml', index: '0' }))
  return secretHider(items, stdout)(text)
}

const secret = (value: string, name = 'db') =>
  `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\nstringData:\n  password: ${value}\n`

test('a value of a Secret that a program got is not shown, nor in base64', () => {
  expect(shown('login failed: opensesame', [secret('opensesame')])).toBe('login failed: not-shown')
  expect(
    shown(`got ${btoa('opensesame')}`, [secret('opensesame').replace('stringData', 'data').replace('opensesame', btoa('opensesame'))]),
  ).toBe('got not-shown')
})

test('a value of a Secret that a program made is not shown', () => {
  const list = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- ${secret('opensesame').trimEnd().replaceAll('\n', '\n  ')}\n`
  expect(shown('made opensesame', [], list)).toBe('made not-shown')
})

test('of a value that begins with the value of another Secret nothing is shown', () => {
  const received = [secret('opensesame', 'a'), secret('opensesame-and-more', 'b')]
  expect(shown('got opensesame-and-more', received)).toBe('got not-shown')
  expect(shown('got opensesame-and-more', received.toReversed())).toBe('got not-shown')
})

test('a value of another kind is shown, and a list that cannot be read hides nothing', () => {
  expect(shown('got opensesame', [secret('opensesame').replace('Secret', 'ConfigMap').replace('stringData', 'data')])).toBe(
    'got opensesame',
  )
  expect(shown('got opensesame', [], 'kind: Secret: [')).toBe('got opensesame')
})

test('a text in which no Secret is stays, and an empty one too', () => {
  expect(shown('', [secret('opensesame')])).toBe('')
  expect(shown('hello', [secret('opensesame')])).toBe('hello')
  expect(shown('got opensesame', ['- opensesame\n', '- Secret\n'])).toBe('got opensesame')
})

test('each text of a record is replaced at any depth, and no key or other value', () => {
  const record = { a: 'a', list: ['a', { a: 'a', n: 1, yes: true, none: null }], constructor: 'a' }
  expect(withTexts(record, (text) => `${text}!`)).toEqual({
    a: 'a!',
    list: ['a!', { a: 'a!', n: 1, yes: true, none: null }],
    constructor: 'a!',
  })
})
