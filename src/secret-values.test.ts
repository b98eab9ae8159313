import { expect, test } from 'vitest'
import { isOrListsSecret, secretsIn, secretValues, withoutSecretsInFinding } from './secret-values.ts'

/** Returns the message of a finding about a value of a Secret, as it is shown. */
function shown(message: string): string {
  return withoutSecretsInFinding({ message, resourceRef: { kind: 'Secret' }, field: { path: ['stringData', 'a'] } }).message
}

test.each([
  ["`stringData.a` must be one of 'x', got 'it's: \"o'", '`stringData.a` must be one of not-shown'],
  ['Mutated field value to "x: \'aza\\"b"', 'Mutated field value to not-shown'],
  [
    "is 'not-shown' here; upstream changed it to 'other-not-shown' (a.yaml:1:1)",
    "is 'not-shown' here; upstream changed it to 'other-not-shown' (a.yaml:1:1)",
  ],
  ['got the number 761234567; write "761234567"', 'got the number not-shown write not-shown'],
])('no quoted value of a Secret is in a message, one with quotes neither: %s', (message, expected) => {
  expect(shown(message)).toBe(expected)
})

test('an entry of a SecretList without a kind of its own is a Secret', () => {
  const list = { kind: 'SecretList', items: [{ stringData: { password: 'hunter22' } }, { kind: 'ConfigMap', data: { a: 'shown' } }] }
  expect(secretsIn(list)).toContain('hunter22')
  expect(secretValues(list).map(({ key, text }) => [key, text])).toContainEqual(['password', 'hunter22'])
  expect([isOrListsSecret(list), isOrListsSecret({ kind: 'List', items: list.items.slice(1) })]).toEqual([true, false])
  expect(secretsIn(list)).not.toContain('shown')
})
