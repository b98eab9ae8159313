import { expect, test } from 'vitest'
import { sarifMessage } from './code-hosts.ts'

test('what looks like a link in a SARIF message has one backslash before it', () => {
  expect(sarifMessage("must be a label, got '[here](https://evil.example)'").text).toBe(
    "must be a label, got '\\[here](https://evil.example)'",
  )
})

test('brackets that are no link stay in a SARIF message', () => {
  expect(sarifMessage('`spec.targets[2].name` must be set').text).toBe('`spec.targets[2].name` must be set')
})
