import { expect, test } from 'vitest'
import { fillVariables } from './variables.ts'

const VALUES = new Map([
  ['name', 'prod'],
  ['replicas', '3'],
  ['empty', ''],
])

// The first rows are those of fluxcd/pkg/envsubst (eval_test.go) for the expressions that are followed.
test.each([
  ['abcdEFGH28ij', 'abcdEFGH28ij'],
  ['replicas: ${replicas}', 'replicas: 3'],
  ['${name}.${missing}.example.com', 'prod..example.com'],
  ['${missing:=xyz}', 'xyz'],
  ['${missing=xyz}', 'xyz'],
  ['${missing:-xyz}', 'xyz'],
  ['${missing:-}', ''],
  ['${empty:-xyz}', 'xyz'],
  ['${name:-xyz}', 'prod'],
  ['foo: ${missing=prefix${name}-suffix}', 'foo: prefixprod-suffix'],
  ['something $${var=${name}}', 'something ${var=prod}'],
  ['some text ${name}$${var$${var01}$name${name}', 'some text prod${var${var01}$nameprod'],
  ['$$$${name} costs $5 $', '$${name} costs $5 $'],
  ['$$${name}', '$prod'],
])('Flux makes of %j %j', (text, filled) => {
  expect(fillVariables(text, VALUES, false)).toEqual({ text: filled, left: [] })
})

test.each([
  ['${name^^}', false],
  ['${#name}', false],
  ['${name/a/b}', false],
  ['${}', false],
  ['${name:-x', false],
  ['${missing}', true],
  ['${missing:-x}', true],
] as const)('%j stays and is named; other values: %s', (text, hasOthers) => {
  expect(fillVariables(`a ${text}`, VALUES, hasOthers)).toEqual({ text: `a ${text}`, left: [text] })
})
