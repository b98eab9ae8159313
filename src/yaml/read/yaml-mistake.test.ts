import { expect, test } from 'vitest'
import { positionAt } from './lines.ts'
import { YamlError } from './yaml-error.ts'
import { describeSeparator, nameMistake, placeOfMistake } from './yaml-mistake.ts'
import { readYaml } from './yaml-reader.ts'

/** `line:column message`. */
function faultOf(text: string): string {
  try {
    readYaml(text)
    return 'none'
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    const { line, column } = positionAt(text, error.offset)
    return `${line}:${column} ${error.message}`
  }
}

const PLACEHOLDER = 'is a placeholder that nothing replaces here; write the value, or quotes around all of it'

const NO_KEY = 'a key must be in front of a colon with a space behind it; put quotes around a text'

test.each([
  { text: 'a:\n\tb: 1\n', fault: '2:1 a tab indents the line, only spaces may' },
  { text: 'a: 1\r\nb:\r\n\tc: 1\r\n', fault: '3:1 a tab indents the line, only spaces may' },
  { text: `a: 1\n${'k'.repeat(2000)}: 1\n`, fault: '2:1 a key must have at most 1,024 characters' },
  { text: 'a: {{ x }}\nb: 1\n', fault: `1:5 '{{ x }}' ${PLACEHOLDER}` },
  { text: 'a: {{ .Values.x }}-b\nb: 1\n', fault: `1:19 '{{ .Values.x }}' ${PLACEHOLDER}` },
  { text: '{{- if .x }}\na: 1\n{{- end }}\n', fault: `1:3 '{{- if .x }}' ${PLACEHOLDER}` },
  { text: 'a:\n  b:c\n  d: e\n', fault: "2:3 a space must follow the colon: 'b: c'" },
  { text: 'a:\n  d: e\n  b:2\nf: g\n', fault: "3:3 a space must follow the colon: 'b: 2'" },
  { text: '- a:b\n  c: d\n', fault: "1:3 a space must follow the colon: 'a: b'" },
  { text: 'a: "x" + y\nb: 1\n', fault: `1:8 the value goes on behind its closing quote; put quotes around all of it: '"x" + y'` },
  { text: "a: 'x-' + y\n", fault: `1:9 the value goes on behind its closing quote; put quotes around all of it: "'x-' + y"` },
  {
    text: `a: 'x-' + "y"\n`,
    fault: "1:9 the value goes on behind its closing quote; put quotes around all of it: a block below '>-' needs none",
  },
  { text: 'a: "x\nb: 1\nc: 2\n', fault: '1:4 the text that begins with " is not closed' },
  { text: `a: "b"\nc: "'x' + y\nd: 1\n`, fault: '2:4 the text that begins with " is not closed' },
  { text: 'a: b: c\n', fault: "1:4 a value with a colon and a space in it needs quotes: 'b: c'" },
  { text: "a: has(x) ? x : 'y'\n", fault: `1:4 a value with a colon and a space in it needs quotes: "has(x) ? x : 'y'"` },
  { text: 'a: @b\n', fault: "1:4 a value must not begin with @; put quotes around it: '@b'" },
  { text: 'a: *\n', fault: "1:4 a value that begins with * is an alias; put quotes around it: '*'" },
  { text: 'a:\n  b: 1\n c: 2\n', fault: '3:1 the keys of one map must begin in one column, this line begins in another' },
  { text: 'a:\n  b: 1\n    c: 2\n', fault: '2:6 the line below is indented deeper, as if it belonged to this value' },
  { text: 'a:\n- b: 1\n c: 2\n', fault: "3:1 an item of a list must begin with '- ' in the column of the others" },
  { text: 'a:\n  b: 1\n  - c\n', fault: "3:1 a list item, '- ', must not be among the keys of a map" },
  { text: 'a: b\n? m\n- q\n', fault: "3:1 a list item, '- ', must not be among the keys of a map" },
  { text: 'a:\n- ? m\n\n  # c\n  - q\n', fault: "5:3 a list item, '- ', must not be among the keys of a map" },
  { text: 'a: {b: c}: d\n', fault: `1:10 ${NO_KEY}: '{b: c}: d'` },
  { text: 'a: [b]: d\n', fault: `1:7 ${NO_KEY}: '[b]: d'` },
  { text: 'a: {: b}\n', fault: `1:5 ${NO_KEY}: '{: b}'` },
  { text: 'a: b\n: c\n', fault: `2:1 ${NO_KEY}: ': c'` },
  { text: 'a: [1, 2\nb: 3\n', fault: '2:1 the list that begins with [ is not closed with ]' },
  { text: 'a: {b: 1\nc: 2\n', fault: '2:1 the map that begins with { is not closed with }' },
  {
    text: 'a: [1,\n2\n]\n',
    fault: '2:1 the list that begins with [ is not closed with ], or goes on in this line, which is not indented deeper than its key',
  },
  {
    text: 'a: {b: 1\nc: 2}\n',
    fault: '2:1 the map that begins with { is not closed with }, or goes on in this line, which is not indented deeper than its key',
  },
  { text: '{"a": 1', fault: '1:8 the map that begins with { is not closed with }' },
  { text: 'a: [1, 2', fault: '1:9 the list that begins with [ is not closed with ]' },
  { text: 'a: {x}-b\n', fault: "1:7 a value that begins with { ends with its bracket; put quotes around all of it: '{x}-b'" },
  { text: 'a: &x *y\n', fault: '1:7 an alias, *NAME, must have no anchor and no tag before its *' },
  { text: 'a: &\n', fault: "1:4 a value that begins with & is an anchor; put quotes around it: '&'" },
  { text: 'a: &x &y 1\n', fault: '1:7 a value must have one anchor, &NAME, at most' },
  { text: 'a: !x !y 1\n', fault: '1:7 a value must have one tag, !NAME, at most' },
  { text: 'a: !e!x 1\n', fault: "1:4 a value that begins with ! has a tag, and this one is not known; put quotes around a text: '!e!x 1'" },
  { text: 'a: !<x 1\n', fault: "1:4 a value that begins with ! has a tag, and this one is not known; put quotes around a text: '!<x 1'" },
  { text: '%YAML 1.2 3\n---\na: 1\n', fault: "1:1 the directive %YAML must have a version alone, '%YAML 1.2'" },
  { text: '%TAG x\n---\na: 1\n', fault: '1:1 the directive %TAG must have a handle and a prefix' },
  { text: '%YAML 1.2\na: 1\n', fault: "2:1 a line '---' must follow the directives, the lines that begin with %" },
  { text: '--- a: 1\n', fault: "1:5 a document must begin on the line below its '---'" },
  { text: '&a - b\n', fault: '1:1 an anchor or a tag must be on the line above the map or list that has it' },
  { text: 'a: - b\n', fault: "1:4 a list must begin on the line below its key; put quotes around a text: '- b'" },
  { text: 'a: >b\n', fault: "1:5 a block of text must begin on the line below its | or >; put quotes around a text: '>b'" },
  { text: 'a: [x]#c\n', fault: '1:7 a space must be before the # of a comment; put quotes around a text with a #' },
  { text: 'a: [b,, c]\n', fault: '1:7 a comma must be behind an entry, got one without' },
  { text: 'a: {b: 1 c: 2}\n', fault: "1:8 a comma must be between two entries within [ ] and { }, and no entry may begin with '- '" },
  {
    text: '{"a" 1}\n',
    fault: '1:6 a comma must be between two entries within [ ] and { }, a colon and a space between a key and its value',
  },
  { text: '{a: 1}}\n', fault: '1:7 the } closes nothing; put quotes around a text with brackets' },
  { text: 'a: ,b\n', fault: "1:4 a value must not begin with ,; put quotes around it: ',b'" },
  { text: '"a" b: c\n', fault: '1:5 a key must end with its closing quote, got \'"a" b: c\'' },
  { text: 'a: *b c\n', fault: "1:7 an alias must be the whole value; put quotes around a text: '*b c'" },
  { text: 'a: "b" "c"\n', fault: '1:8 the value goes on behind its closing quote; put quotes around all of it: \'"b" "c"\'' },
  { text: '"b": "c" d\n', fault: '1:10 the value goes on behind its closing quote; put quotes around all of it: \'"c" d\'' },
  { text: "'b': 'c' d\n", fault: `1:10 the value goes on behind its closing quote; put quotes around all of it: "'c' d"` },
  { text: 'a: b\n}\n', fault: '2:1 the } closes nothing; put quotes around a text with brackets' },
  { text: 'a:\n  b: c\n]\nd: e\n', fault: '3:1 the ] closes nothing; put quotes around a text with brackets' },
  { text: 'a: |\n  b\n}\nc: d\n', fault: '3:1 the } closes nothing; put quotes around a text with brackets' },
  { text: 'a: [1\n]\nb: >-\n  c\n}\n', fault: '5:1 the } closes nothing; put quotes around a text with brackets' },
  { text: 'a: b\n? c\n]\n: d\n', fault: '3:1 the ] closes nothing; put quotes around a text with brackets' },
  { text: 'a: b\n,\n', fault: "2:1 a value must not begin with ,; put quotes around it: ','" },
  { text: '- a\nb: c\n', fault: "2:1 the value above ends before this line, which belongs to nothing, got 'b: c'" },
  {
    text: 'a: b\n# c\n  d\n',
    fault:
      '2:1 the line below this comment belongs to no key: a key must begin in the column of its map, and no comment may be within a text',
  },
  { text: 'a: 1\n<<<<<<< HEAD\nb: 2\n', fault: '2:1 a conflict of a merge is left in the file' },
  {
    text: 'a: 1\nhello\nb: 2\n',
    fault: "2:1 a line among the keys of a map must be a key with a colon and a space behind it, got 'hello'",
  },
  {
    text: 'a: "\\q"\n',
    fault: '1:5 \\q is no escape between double quotes; a backslash is written \\\\ there, or as it is between single quotes',
  },
  { text: 'a: | x\n  y\n', fault: '1:6 a block of text must begin on the line below its | or >' },
  { text: 'a: ]\n', fault: '1:4 the ] closes nothing; put quotes around a text with brackets' },
])('$fault', ({ text, fault }) => {
  expect(faultOf(text)).toBe(fault)
})

const MARK = 'U+FEFF, an invisible byte order mark, must not be in a key: remove it, or write it as \\uFEFF in double quotes'
const ELSEWHERE = 'in double quotes, since other readers end the line there'

// YAML 1.2.2 (5.2), and the line breaks of go-yaml v3, scannerc.go.
test.each([
  { text: 'a: 1\n\ufeffb: 2\n', fault: `2:1 ${MARK}` },
  { text: 'a:\n  b\ufeffc: 2\n', fault: `2:4 ${MARK}` },
  { text: 'a: 1\n"\ufeffb": 2\n', fault: 'none' },
  { text: 'a: b\ufeffc\n', fault: 'none' },
  { text: '\ufeffa: 1\n', fault: 'none' },
  { text: 'a: b\u2028c\n', fault: `1:5 U+2028 must be written as \\L ${ELSEWHERE}` },
  { text: 'a: b\u2029c\n', fault: `1:5 U+2029 must be written as \\P ${ELSEWHERE}` },
  { text: 'a: b\x85c\n', fault: `1:5 U+0085 must be written as \\N ${ELSEWHERE}` },
  { text: 'a: "b\u2028c"\n', fault: 'none' },
  { text: "a: 'b\u2029c'\n", fault: 'none' },
  { text: 'a: "b\x85c"\n', fault: `1:6 U+0085 must be written as \\N ${ELSEWHERE}` },
  { text: 'a: "b \u2028c"\n', fault: `1:7 U+2028 must be written as \\L ${ELSEWHERE}` },
  { text: 'a: "b\u2028 c"\n', fault: `1:6 U+2028 must be written as \\L ${ELSEWHERE}` },
  { text: "a: 'b\u2029--- c'\n", fault: `1:6 U+2029 must be written as \\P ${ELSEWHERE}` },
  { text: 'a: "b\u2028c"\nd: e\u2029f\n', fault: `2:5 U+2029 must be written as \\P ${ELSEWHERE}` },
])('characters that readers take for something else: $fault in $text', ({ text, fault }) => {
  expect(faultOf(text)).toBe(fault)
})

test('a text without a separator at its place has no message for one', () => {
  expect(describeSeparator('a\u2028b')).toBe(`U+2028 must be written as \\L ${ELSEWHERE}`)
  expect([describeSeparator('ab'), describeSeparator('a\u2028b', 0)]).toEqual([undefined, undefined])
})

const CLOSING = 'Missing closing "quote'

test.each([
  { reason: 'behind a key', text: 'a: "x\nb: 1\n', found: CLOSING, offset: 3 },
  { reason: 'behind a dash', text: '- "x\n', found: CLOSING, offset: 2 },
  { reason: 'with an escaped quote in it', text: 'a: "x \\" y\nb: 1\n', found: CLOSING, offset: 3 },
  { reason: 'the nearest of two', text: 'a: "x\nb: "y\nc: 1\n', found: CLOSING, offset: 9 },
  { reason: 'with another quote in it', text: `a: "it's\nb: 1\n`, found: CLOSING, offset: 3 },
  { reason: 'in single quotes', text: "a: 'x\nb: 1\n", found: "Missing closing 'quote", offset: 3 },
  { reason: 'none that is open', text: 'a: "x"\nb: 1\n', found: CLOSING, offset: undefined },
  { reason: 'none of the other kind', text: "a: 'x\nb: 1\n", found: CLOSING, offset: undefined },
  { reason: 'none for another fault', text: 'a: "x\nb: 1\n', found: 'Strange', offset: undefined },
])('the opening quote of an unclosed text: $reason', ({ text, found, offset }) => {
  expect(placeOfMistake(text, text.length, found)).toBe(offset ?? text.length)
})

test('a comment that the library takes for the end of a map is named as one in the wrong column', () => {
  expect(nameMistake('a: 1\n', 3, 'Map comment with trailing content')).toBe(
    'a comment must be indented as the keys of its map, and not between a key and its value',
  )
})

test('the reason of the library stays where no mistake fits, and a long value is cut', () => {
  expect(nameMistake('a: 1\n', 3, 'Strange')).toBe('Strange')
  const named = (value: string) => nameMistake(`a: ${value}\n`, 3, 'Nested mappings are not allowed in compact mappings')
  const whole = `b: ${'c'.repeat(77)}`
  expect(named(whole)).toBe(`a value with a colon and a space in it needs quotes: '${whole}'`)
  expect(named(`${whole}c`)).toBe(`a value with a colon and a space in it needs quotes: '${whole}…'`)
})
