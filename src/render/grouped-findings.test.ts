import { expect, test } from 'vitest'
import { FunctionError, type Result } from '../result.ts'
import { GroupedFindings, throwIfErrors } from './grouped-findings.ts'

const FINDING: Result = {
  severity: 'warning',
  message: 'is lost',
  field: { path: ['spec', 'a'] },
  file: { path: 'one/a.yaml', index: 0 },
  tags: { rule: 'edit-lost' },
}

/** Returns the messages after each folder got its finding. */
function messages(...added: readonly (readonly [folder: string, finding: Result])[]): readonly string[] {
  const findings = new GroupedFindings()
  for (const [folder, finding] of added) findings.add(folder, [finding])
  return findings.results().map(({ message }) => message)
}

test('findings with the same wording are one at the first package, which names three others', () => {
  const elsewhere = { ...FINDING, file: { path: 'two/a.yaml', index: 0 } }
  const findings = new GroupedFindings()
  findings.add('one', [FINDING])
  findings.add('two', [elsewhere])
  expect(findings.results()).toEqual([{ ...FINDING, message: 'is lost; the same for two' }])
  const folders = ['one', 'two', 'three', 'four', 'five', 'two']
  expect(messages(...folders.map((folder) => [folder, FINDING] as const))).toEqual(['is lost; the same for two, three, four and 1 more'])
})

test('a finding that one package has once or twice stays as it is', () => {
  expect(messages(['one', FINDING])).toEqual(['is lost'])
  expect(messages(['one', FINDING], ['one', FINDING])).toEqual(['is lost'])
})

test.each<[string, Partial<Result>]>([
  ['severity', { severity: 'info' }],
  ['message', { message: 'is gone' }],
  ['field', { field: { path: ['spec', 'b'] } }],
  ['rule', { tags: { rule: 'comment-lost' } }],
])('a finding with another %s is another finding', (_, change) => {
  expect(messages(['one', FINDING], ['two', { ...FINDING, ...change }])).toEqual(['is lost', change.message ?? 'is lost'])
})

test('there are errors as soon as one finding is an error', () => {
  const findings = new GroupedFindings()
  findings.add('one', [FINDING])
  expect(findings.hasErrors).toBe(false)
  findings.add('two', [{ ...FINDING, severity: 'error' }, FINDING])
  expect(findings.hasErrors).toBe(true)
})

test('one error throws all findings but infos, placed by the caller; without an error nothing is thrown', () => {
  const [error, info]: readonly Result[] = [
    { ...FINDING, severity: 'error' },
    { ...FINDING, severity: 'info' },
  ]
  if (error === undefined || info === undefined) throw new Error('two findings')
  expect(() => throwIfErrors([FINDING, info])).not.toThrow()
  const thrown = (place?: (refused: readonly Result[]) => readonly Result[]): unknown => {
    try {
      throwIfErrors([info, FINDING, error], place)
    } catch (fault) {
      return fault instanceof FunctionError ? fault.results : fault
    }
    return undefined
  }
  expect(thrown()).toEqual([FINDING, error])
  expect(thrown((refused) => refused.toReversed())).toEqual([error, FINDING])
})
