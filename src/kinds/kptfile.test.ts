import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { findingsOf } from '../result.ts'
import { CONDITIONS, checkKptfileLists, kptfileEntries, PIPELINE_LISTS, READINESS_GATES } from './kptfile.ts'

const LISTS = [PIPELINE_LISTS.mutators, PIPELINE_LISTS.validators, READINESS_GATES, CONDITIONS]

function kptfile(fields: string): KrmObject {
  return KrmObject.fromDocument(`apiVersion: kpt.dev/v1\nkind: Kptfile\n${fields}`)
}

/** Returns the faults of the lists, each with its place. */
function faults(fields: string, lists = LISTS): readonly string[] {
  const results = findingsOf(() => {
    checkKptfileLists(kptfile(fields), lists)
    return []
  })
  return results.map(({ message, position, tags }) => `${position?.line}:${position?.column} ${message} [${tags.rule}]`)
}

test.each([
  { reason: 'no lists', fields: '', expected: [] },
  {
    reason: 'lists of maps, whose entries need no name',
    fields:
      'pipeline: {mutators: [{name: a}, {image: b}], validators: []}\ninfo: {readinessGates: [{conditionType: a}]}\nstatus: {conditions: [{type: a}]}\n',
    expected: [],
  },
  { reason: 'parts that are null', fields: 'pipeline:\ninfo: null\nstatus: ~\n', expected: [] },
  { reason: 'null for a list that kpt may find null', fields: 'info: {readinessGates: null}\nstatus: {conditions: null}\n', expected: [] },
  {
    reason: 'null for a list of the pipeline (docs/porch.md 32)',
    fields: 'pipeline: {mutators: null, validators: null}\n',
    expected: [
      '3:22 `pipeline.mutators` must be a list in a Kptfile, got null [kptfile]',
      '3:40 `pipeline.validators` must be a list in a Kptfile, got null [kptfile]',
    ],
  },
  {
    reason: 'a map that is a text, once for both lists in the map',
    fields: 'pipeline: a\ninfo: []\n',
    expected: [
      "3:11 `pipeline` must be a map in a Kptfile, got 'a' [kptfile]",
      '4:1 `info` must be a map in a Kptfile, got a list [kptfile]',
    ],
  },
  {
    reason: 'maps in the place of lists',
    fields: 'info: {readinessGates: {}}\nstatus: {conditions: a}\n',
    expected: [
      '3:8 `info.readinessGates` must be a list in a Kptfile, got a map [kptfile]',
      "4:22 `status.conditions` must be a list in a Kptfile, got 'a' [kptfile]",
    ],
  },
  {
    reason: 'entries that are no maps, each at its place',
    fields: 'pipeline: {mutators: [{name: a}, b, 1]}\n',
    expected: [
      "3:34 `pipeline.mutators[1]` must be a map in a Kptfile, got 'b' [kptfile]",
      '3:37 `pipeline.mutators[2]` must be a map in a Kptfile, got the number 1 [kptfile]',
    ],
  },
  {
    reason: 'names that are no texts: the name of a function, the type of a gate and of a condition',
    fields: 'pipeline: {mutators: [{name: 1}]}\ninfo: {readinessGates: [{conditionType: true}]}\nstatus: {conditions: [{type: []}]}\n',
    expected: [
      '3:30 `pipeline.mutators[0].name` must be a string in a Kptfile, got the number 1 [kptfile]',
      '4:41 `info.readinessGates[0].conditionType` must be a string in a Kptfile, got the boolean true [kptfile]',
      '5:24 `status.conditions[0].type` must be a string in a Kptfile, got a list [kptfile]',
    ],
  },
  {
    reason: 'a duplicate key, and nothing more about its field',
    fields: 'pipeline:\n  mutators: []\n  mutators: a\n',
    expected: ['5:3 `pipeline.mutators` must occur once in its map, but occurs in lines 4 and 5 [duplicate-key]'],
  },
])('the lists of a Kptfile: $reason', ({ fields, expected }) => {
  expect(faults(fields)).toEqual(expected)
})

test('only the given lists are checked', () => {
  expect(faults('pipeline: {mutators: a, validators: b}\n', [PIPELINE_LISTS.validators])).toEqual([
    "3:37 `pipeline.validators` must be a list in a Kptfile, got 'b' [kptfile]",
  ])
})

test('the entries of a list are its maps with all their fields; a missing list has none', () => {
  const file = kptfile('pipeline: {mutators: [{image: a, x: 1}, b, {name: c}]}\n')
  expect(kptfileEntries(file, PIPELINE_LISTS.mutators)).toEqual([{ image: 'a', x: 1 }, { name: 'c' }])
  expect(kptfileEntries(file, PIPELINE_LISTS.validators)).toEqual([])
  expect(kptfileEntries(file, CONDITIONS)).toEqual([])
})
