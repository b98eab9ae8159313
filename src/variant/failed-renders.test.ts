import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { failedRenders } from './failed-renders.ts'

function messagesOf(renderStatus: string): readonly string[] {
  const variant = KrmObject.fromDocument(`apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: web}
status: {downstreamTargets: [{name: east.web.1, renderStatus: ${renderStatus}}]}
`)
  return failedRenders(variant).map(({ message }) =>
    message.replace('`status.downstreamTargets[0].renderStatus', '').replace(/failed in the cluster/, ''),
  )
}

test.each([
  ['{error: boom}', '.error`', 'boom'],
  ['{errorSummary: "set-labels: exit code 1"}', '.errorSummary`', 'set-labels: exit code 1'],
  ['{mutationSteps: [{name: a, exitCode: 0}, {name: b, exitCode: 1, stderr: boom}]}', '.mutationSteps[1]`', 'b: boom'],
  ['{validationSteps: [{image: "x:v1", exitCode: 3}]}', '.validationSteps[0]`', 'x:v1: exit code 3'],
  ['{mutationSteps: [{exec: ./a, executionError: not found}]}', '.mutationSteps[0]`', './a: not found'],
])('a failed render of the form %s is a warning', (status, field, error) => {
  expect(messagesOf(status)).toEqual([expect.stringContaining(field)])
  expect(messagesOf(status)).toEqual([expect.stringContaining(error)])
})

test.each(['{}', '{error: ""}', '{errorSummary: "", mutationSteps: [{name: a, exitCode: 0, stderr: a warning}]}'])(
  'a render of the form %s did not fail',
  (status) => {
    expect(messagesOf(status)).toEqual([])
  },
)
