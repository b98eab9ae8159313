import { expect, test } from 'vitest'
import { FieldFault, renderValue } from './template-text.ts'

const PARAMS = { a: 'Prod_1', 'path.basename': 'web', n: 2, list: ['x', 'y'], empty: '', deep: { b: 'c' }, none: null }
const FAST = { goTemplate: false, isStrict: false }
const GO = { goTemplate: true, isStrict: false }

const fast = (text: string, keepsUnknown = false) => renderValue(text, PARAMS, { ...FAST, keepsUnknown })
const go = (text: string, isStrict = false) => renderValue(text, PARAMS, { ...GO, isStrict })

test.each([
  ['no template', 'no template'],
  ['{{a}}', 'Prod_1'],
  ['x-{{ a }}-{{path.basename}}', 'x-Prod_1-web'],
  ['{{empty}}', ''],
  ['{{ a', '{{ a'],
])('without goTemplate, %j is %j', (text, expected) => {
  expect(fast(text)).toBe(expected)
})

test.each([
  ['{{b}}', "must name a parameter of the generator, got '{{b}}'"],
  ['{{path.basenmae}}', "must name a parameter of the generator, got '{{path.basenmae}}'; did you mean 'path.basename'?"],
  ['{{.a}}', "must name a parameter of the generator, got '{{.a}}', which Go templates have: set `goTemplate: true`"],
])('without goTemplate, %j is refused: %s', (text, message) => {
  expect(() => fast(text)).toThrow(new FieldFault([], message))
})

test.each([
  ['{{ if and (hasKey . "x") (eq .x "y") }}1{{ else }}2{{ end }}', '2'],
  ['{{ if and (hasKey . "a") (eq .a "Prod_1") }}1{{ end }}', '1'],
  ['{{ or .a .x (eq .y "z") | lower }}', 'prod_1'],
  ['{{ (or .empty .a) }}', 'Prod_1'],
  ['{{ and .a .deep.b }}[{{ and .a .empty .x }}]', 'c[]'],
  ['{{ .a | or .deep.b }}', 'c'],
])('and, or look at no argument behind the one that decides, so that a missing one is no fault: %j is %j', (text, expected) => {
  expect(go(text, true)).toBe(expected)
})

test('a comment may have a quote in it', () => {
  expect(go('a{{/* as "x */}}b {{- /* `y */ -}} c')).toBe('abc')
})

test('a name that another generator may give stays in the text', () => {
  expect(fast('{{a}}-{{b}}', true)).toBe('Prod_1-{{b}}')
})

test.each([
  ['no template', 'no template'],
  ['{{.a}}-{{ $.a }}', 'Prod_1-Prod_1'],
  ['{{.deep.b}}', 'c'],
  ['{{ .a | lower }}', 'prod_1'],
  ['{{ lower .a | replace "_" "-" | printf "%s-%d" "x" | trimPrefix "x-" }}', undefined],
  ['{{ replace "_" "-" (lower .a) }}', 'prod-1'],
  ['{{ "a\\tb" }}{{ `a"b` }}', 'a\tba"b'],
  ['{{ 12 }} {{ -3 }} {{ 1.5 }} {{ true }} {{ false }}', '12 -3 1.5 true false'],
  ['{{ $.list | first }}', 'x'],
  ['{{ get . "a" }}{{ get $ "a" }}', 'Prod_1Prod_1'],
  ['a {{- .deep.b }} b', 'ac b'],
  ['a {{ .deep.b -}} b', 'a cb'],
  ['a {{- .deep.b -}} b', 'acb'],
  ['a {{-/* why */ -}} b', undefined],
  ['a {{/* why */}} b', 'a  b'],
  ['a {{- /* why */ -}} b', 'ab'],
  ['{{ "{{" }}', '{{'],
  ['{{ "}}" }}', '}}'],
  ['{{ empty .empty }}', 'true'],
  ['{{ .empty }}', ''],
])('with goTemplate, %j is %j', (text, expected) => {
  if (expected === undefined) expect(() => go(text)).toThrow(FieldFault)
  else expect(go(text)).toBe(expected)
})

test.each([
  ['{{ if .a }}1{{ end }}', '1'],
  ['{{ if .empty }}1{{ end }}', ''],
  ['{{ if .empty }}1{{ else }}2{{ end }}', '2'],
  ['{{ if .a }}1{{ else }}2{{ end }}', '1'],
  ['{{ if .empty }}1{{ else if .a }}2{{ else }}3{{ end }}', '2'],
  ['{{ if .empty }}1{{ else if .none }}2{{ else }}3{{ end }}', '3'],
  ['{{ if .a }}1{{ else if .a }}2{{ else }}3{{ end }}', '1'],
  ['{{ if .a }}{{ if .empty }}1{{ else }}2{{ end }}3{{ end }}4', '234'],
  ['{{ if .empty }}{{ if .a }}1{{ else }}2{{ end }}3{{ else }}5{{ end }}4', '54'],
  ['{{ if .missing }}1{{ else }}2{{ end }}', '2'],
  ['{{ if .a }}1{{ else }}{{ trunc .n "x" }}{{ end }}', '1'],
  ['{{ if .empty }}{{ .missing }}{{ end }}x', 'x'],
])('of an if, one branch is rendered: %j is %j', (text, expected) => {
  expect(go(text)).toBe(expected)
})

test.each([
  ['{{ range .list }}<{{ . }}>{{ end }}', '<x><y>'],
  ['{{ range $i, $v := .list }}{{ $i }}{{ $v }}{{ $.a }} {{ end }}', '0xProd_1 1yProd_1 '],
  ['{{ range $k, $v := .deep }}{{ $k }}={{ $v }}{{ end }}', 'b=c'],
  ['{{ range .missing }}1{{ else }}2{{ end }}', '2'],
  ['{{ with .deep }}{{ .b }}{{ end }}', 'c'],
  ['{{ with .empty }}1{{ else with .deep }}{{ .b }}{{ else }}3{{ end }}', 'c'],
  ['{{ with $x := .deep }}{{ $x.b }}{{ end }}', 'c'],
  ['{{ $x := 1 }}{{ if .a }}{{ $x = 2 }}{{ end }}{{ $x }}', '2'],
  ['{{ $x := 1 }}{{ if .a }}{{ $x := 2 }}{{ $x }}{{ end }}{{ $x }}', '21'],
  ['{{ if $x := .empty }}1{{ else }}[{{ $x }}]{{ end }}', '[]'],
  ['{{ (.deep).b }}{{ (first .list) }}', 'cx'],
])('loops and variables are those of Go: %j is %j', (text, expected) => {
  expect(go(text)).toBe(expected)
})

test.each([
  [
    '{{ .missing }}',
    'must name a parameter that the generator gives, got {{.missing}}; it gives a, path.basename, n, list, empty, deep, none',
  ],
  ['{{ .none }}', 'must name a parameter that the generator gives, got {{.none}}; it gives a, path.basename, n, list, empty, deep, none'],
  ['{{ if .a }}1', 'must be a Go template, got an if without an end'],
  ['{{ if .a }}1{{ else }}2', 'must be a Go template, got an if without an end'],
  ['{{ end }}', 'must be a Go template, got {{end}} without an if'],
  ['{{ else }}', 'must be a Go template, got {{else}} without an if'],
  ['{{ .a', 'must be a Go template, got {{ without }}'],
  ['{{ }}', 'must be a Go template, got {{}}'],
  ['{{ range .list }}', 'must be a Go template, got a range without an end'],
  ['{{ range .list }}{{ break }}{{ end }}', "must not use 'break' in {{…}}: convert cannot follow it"],
  ['{{ range .a }}{{ end }}', 'must use range with a list or a map'],
  ['{{ range $a, $b, $c := .list }}{{ end }}', 'must be a Go template, got 3 variables in {{range $a , $b , $c := .list}}'],
  ['{{ range .list }}1{{ else if .a }}2{{ end }}', 'must be a Go template, got {{else if}} in a range'],
  ['{{ range .list }}{{ .b }}{{ end }}', "must name a parameter of the generator, got '.b'"],
  ['{{ with .a }}1', 'must be a Go template, got a with without an end'],
  ['{{ with $a, $b := .a }}{{ end }}', 'must be a Go template, got 2 variables in {{with $a , $b := .a}}'],
  ['{{ $x }}', 'must be a Go template, the variable $x is not defined'],
  ['{{ $x = 1 }}', 'must be a Go template, the variable $x is not defined'],
  ['{{ $x, $y := .a }}', 'must be a Go template, got two variables in {{$x , $y := .a}}'],
  ['{{ .a := 1 }}', "must be a Go template, got '.a' in front of :="],
  ['{{ if .a }}{{ $x := 1 }}{{ end }}{{ $x }}', 'must be a Go template, the variable $x is not defined'],
  ['{{ trimPrefx "a" .a }}', "must not use 'trimPrefx' in {{…}}: convert cannot follow it; did you mean 'trimPrefix'?"],
  ['{{ define "x" }}', "must not use 'define' in {{…}}: convert cannot follow it"],
  [
    '{{ constructor }}',
    "must not use 'constructor' in {{…}}: convert cannot follow it; write what it gives into a parameter of the generator",
  ],
  ['{{ a }}', 'must begin parameters with a dot, as `goTemplate` is true, got {{a}}: write {{.a}}'],
  ['{{ (lower .a }}', "must be a Go template, got '(' without ')'"],
  ['{{ lower .a ) }}', "must be a Go template, got ')' where it ends"],
  ['{{ .a .b }}', "must be a Go template, '.a' is no function"],
  ['{{ .a | .a }}', "must be a Go template, '.a' is no function"],
  ['{{ lower }}', 'must give the function lower 1 arguments, got 0'],
  ['{{ lower .a .a }}', 'must give the function lower 1 arguments, got 2'],
  ['{{ .a | }}', "must be a Go template, got ''"],
  ['{{ "\\q" }}', 'must not use the text "\\q": convert cannot follow its escapes'],
])('with goTemplate, %j is refused: %s', (text, message) => {
  expect(() => go(text)).toThrow(new FieldFault([], message))
})

test('a parameter that is missing is a fault in a condition too, if the set says so', () => {
  expect(() => go('{{ if .missing }}1{{ end }}', true)).toThrow("must name a parameter of the generator, got '.missing'")
})

test('the texts and keys of a value are rendered at every depth, and a fault has its path', () => {
  const value = { '{{a}}': ['{{a}}', 1, null, { b: '{{path.basename}}' }] }
  expect(renderValue(value, PARAMS, FAST)).toEqual({ Prod_1: ['Prod_1', 1, null, { b: 'web' }] })
  expect(() => renderValue({ x: ['', { y: '{{b}}' }] }, PARAMS, FAST, ['spec'])).toThrow(
    expect.objectContaining({ path: ['spec', 'x', 1, 'y'] }),
  )
  expect(() => renderValue({ x: { '{{b}}': 1 } }, PARAMS, FAST)).toThrow(expect.objectContaining({ path: ['x', '{{b}}'] }))
})
