import { expect } from 'vitest'

// A KrmObject holds its text in private fields, which vitest does not compare: any two would be equal.
expect.addEqualityTesters([
  (a: unknown, b: unknown) => {
    const [one, other] = [textOf(a), textOf(b)]
    return one === undefined || other === undefined || one === other ? undefined : false
  },
])

function textOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'toText' in value && typeof value.toText === 'function' ? value.toText() : undefined
}
