import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { validate } from '../schema/validate.ts'
import { KPTFILE_SCHEMA } from './kptfile-schema.ts'

function placeholders(fields: string): readonly string[] {
  const kptfile = KrmObject.fromDocument(`apiVersion: kpt.dev/v1\nkind: Kptfile\n${fields}`)
  return validate(kptfile, { schema: KPTFILE_SCHEMA }).flatMap(({ tags, field }) =>
    tags.rule === 'placeholder' ? [String(field?.path.at(-1))] : [],
  )
}

test('a placeholder in the description of a package, or in a paragraph of an annotation, is for people', () => {
  expect(placeholders('metadata: {name: a}\ninfo:\n  description: |\n    run `x ${VALUE} {{ name }}`\n  keywords: ["${KEY}"]\n')).toEqual(
    [],
  )
  expect(placeholders('metadata:\n  name: a\n  annotations:\n    example.com/usage: |\n      kubectl create "${VALUE}"\n')).toEqual([])
})

test('a placeholder in an annotation of one line, a name or a pipeline is reported', () => {
  expect(
    placeholders('metadata: {name: "${NAME}", annotations: {example.com/zone: "${ZONE}"}}\npipeline: {mutators: [{image: "a:${TAG}"}]}\n'),
  ).toEqual(['name', 'example.com/zone', 'image'])
})
