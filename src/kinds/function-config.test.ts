import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { functionConfigFaults, isFunctionConfig } from './function-config.ts'

function config(spec: string, head = 'apiVersion: config.porch.kpt.dev/v1alpha1\nkind: FunctionConfig'): KrmObject {
  return KrmObject.fromDocument(`${head}\nmetadata: {name: fan-out}\nspec: ${spec}\n`)
}

test.each([
  { executor: 'goExecutor: {tags: [v1]}' },
  { executor: 'binaryExecutor: {path: /a, tags: [v1]}' },
  { executor: 'podExecutor: {}' },
])('one executor is enough: $executor', ({ executor }) => {
  expect(functionConfigFaults(config(`{image: a, ${executor}}`))).toEqual([])
})

test('a FunctionConfig without an executor is refused, as its CustomResourceDefinition does', () => {
  expect(
    functionConfigFaults(config('{image: a}')).map(({ severity, message, position, tags }) => [severity, message, position, tags.rule]),
  ).toEqual([
    ['error', "`spec` must have 'goExecutor', 'binaryExecutor' or 'podExecutor', got none of them", { line: 4, column: 1 }, 'required'],
  ])
})

test.each([
  { head: 'apiVersion: config.porch.kpt.dev/v1alpha1\nkind: FunctionConfig', expected: true },
  { head: 'apiVersion: config.porch.kpt.dev/v1beta1\nkind: FunctionConfig', expected: true },
  { head: 'apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant', expected: false },
  { head: 'apiVersion: porch.kpt.dev/v1alpha1\nkind: FunctionConfig', expected: false },
  { head: 'kind: FunctionConfig', expected: false },
])('a FunctionConfig is known by its group and kind: $head', ({ head, expected }) => {
  expect(isFunctionConfig(config('{}', head))).toBe(expected)
})
