import { expect, test } from 'vitest'
import { KPTFILE_SCHEMA } from './kptfile-schema.ts'
import { misfits } from './testing/misfits.ts'

test.each([
  {
    reason: 'fields beside the pipeline have any value',
    text: '{apiVersion: kpt.dev/v1, kind: Kptfile, metadata: 1, upstream: 2, upstreamLock: 3, info: 4, inventory: 5, status: 6}',
    expected: [],
  },
  {
    reason: 'every field of a function',
    text: '{apiVersion: kpt.dev/v1, kind: Kptfile, pipeline: {mutators: [{image: a, exec: b, tag: c, name: d.e, configPath: f, configMap: {g: h}, selectors: [], exclude: [], condition: i}], validators: [{image: j}]}}',
    expected: [],
  },
  { reason: 'apiVersion and kind must be set', text: '{}', expected: ['apiVersion required', 'kind required'] },
  { reason: 'the kind of a Kptfile', text: '{apiVersion: 1, kind: Kpt}', expected: ['apiVersion type', 'kind const'] },
  {
    reason: 'no other field: kpt decodes strictly',
    text: '{apiVersion: a, kind: Kptfile, spec: {}}',
    expected: ['spec additionalProperties'],
  },
  { reason: 'the pipeline is a map', text: '{apiVersion: a, kind: Kptfile, pipeline: []}', expected: ['pipeline type'] },
  {
    reason: 'mutators and validators are lists, and no other list',
    text: '{apiVersion: a, kind: Kptfile, pipeline: {mutators: {}, validators: {}, functions: []}}',
    expected: ['pipeline.mutators type', 'pipeline.validators type', 'pipeline.functions additionalProperties'],
  },
  ...['mutators', 'validators'].map((list) => ({
    reason: `the fields of a function in ${list}`,
    text: `{apiVersion: a, kind: Kptfile, pipeline: {${list}: [{image: 1, name: 2, condition: 3, configs: b}, c]}}`,
    expected: [
      `pipeline.${list}[0].image type`,
      `pipeline.${list}[0].name type`,
      `pipeline.${list}[0].condition type`,
      `pipeline.${list}[0].configs additionalProperties`,
      `pipeline.${list}[1] type`,
    ],
  })),
])('a Kptfile: $reason', ({ text, expected }) => {
  expect(misfits(KPTFILE_SCHEMA, text)).toEqual(expected)
})
