import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import { failedRenders } from './failed-renders.ts'
import { linesOf } from './testing/written-package.ts'

/** Returns the warnings about the targets of a variant, without their places. */
function warningsOf(targets: string): readonly string[] {
  const head = 'apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: web}\n'
  const variant = writtenObject(`${head}status: {downstreamTargets: ${targets}}\n`)
  return linesOf(() => failedRenders(variant)).map((line) => line.replace(/^a\.yaml:4:\d+: /, ''))
}

const ofStatus = (status: string) => warningsOf(`[{name: east.web.1, renderStatus: ${status}}]`)

function warning(field: string, error: string, target = "0 'east.web.1'"): string {
  const [index, name] = target.split(' ')
  const place = `status.downstreamTargets[${index}].renderStatus${field}`
  return `warning: \`${place}\` must be empty: the functions of ${name} failed in the cluster: ${error} [render-failed-in-cluster]`
}

test.each([
  { form: 'an error', status: '{error: boom}', field: '.error', error: 'boom' },
  { form: 'an error before a summary', status: '{error: boom, errorSummary: bang}', field: '.error', error: 'boom' },
  {
    form: 'a summary beside an empty error',
    status: '{error: " ", errorSummary: "set-labels: exit code 1"}',
    field: '.errorSummary',
    error: 'set-labels: exit code 1',
  },
  { form: 'the first line of an error', status: '{error: "\\n boom\\nmore"}', field: '.error', error: 'boom' },
  {
    form: 'the first mutator that failed, with its output',
    status: '{mutationSteps: [{name: a, exitCode: 0}, {name: b, exitCode: 1, stderr: boom}, {name: c, exitCode: 2}]}',
    field: '.mutationSteps[1]',
    error: 'b: boom',
  },
  {
    form: 'a mutator before a validator',
    status: '{validationSteps: [{name: a, exitCode: 1}], mutationSteps: [{name: b, exitCode: "2"}]}',
    field: '.mutationSteps[0]',
    error: 'b: exit code 2',
  },
  {
    form: 'a validator that is named by its image',
    status: '{mutationSteps: x, validationSteps: [{image: "x:v1", exec: ./x, exitCode: 3}]}',
    field: '.validationSteps[0]',
    error: 'x:v1: exit code 3',
  },
  {
    form: 'an executable that was not started',
    status: '{mutationSteps: [{exec: ./a, executionError: not found, stderr: other}]}',
    field: '.mutationSteps[0]',
    error: './a: not found',
  },
  {
    form: 'a step that was not started, whatever its exit code',
    status: '{mutationSteps: [{name: a, image: b, exitCode: 0, executionError: not found}]}',
    field: '.mutationSteps[0]',
    error: 'a: not found',
  },
])('a failed render is a warning with $form', ({ status, field, error }) => {
  expect(ofStatus(status)).toEqual([warning(field, error)])
})

test.each(['{}', 'x', '{error: ""}', '{errorSummary: "", mutationSteps: [{name: a, exitCode: 0, stderr: a warning}, {name: b}]}'])(
  'a render of the form %s did not fail',
  (status) => {
    expect(ofStatus(status)).toEqual([])
  },
)

test('each target whose render failed is a warning at its own place', () => {
  const targets = '[x, {name: a, renderStatus: {error: boom}}, {name: b}, {name: c, renderStatus: {error: bang}}]'
  expect(warningsOf(targets)).toEqual([warning('.error', 'boom', "1 'a'"), warning('.error', 'bang', "3 'c'")])
})

test.each(['x', '{a: b}', '[]', ''])('a variant whose targets are "%s" has no failed render', (targets) => {
  expect(warningsOf(targets)).toEqual([])
})

test('an error of more than 300 characters is cut', () => {
  expect(ofStatus(`{error: "${'x'.repeat(300)}"}`)).toEqual([warning('.error', 'x'.repeat(300))])
  const [line = ''] = ofStatus(`{error: "${'x'.repeat(301)}"}`)
  expect(line).not.toContain('x'.repeat(301))
  expect(line).toContain('x'.repeat(250))
})
