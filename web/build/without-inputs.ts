import type { Plugin } from 'vite'

/** The functions of contract/src/route.ts that make routes. */
const makers = new Set(['json', 'list', 'listIn', 'upload', 'file'])

type Node = { type: string; start: number; end: number } & Record<string, unknown>

/**
 * The browser sends what people entered and reads the server's answer: schemas of requests are the server's, and the console needs only their
 * types. The build leaves `input` out of the contract's routes, and marks what makes schemas as free of side effects, so that what only requests
 * used is left out with it.
 */
export function withoutInputs(): Plugin {
  return {
    name: 'ghanti:without-inputs',
    apply: 'build',
    transform: {
      order: 'post',
      filter: { id: /\/contract\/src\/[^/]+\.ts$/ },
      handler(code) {
        return { code: shortened(code, this.parse(code) as unknown as Node), map: null }
      },
    },
  }
}

type Edit = { start: number; end: number; text: string }

/** For a module of the contract that is JavaScript already. */
export function shortened(code: string, program: Node): string {
  const edits: Edit[] = []
  const pure = new Set<number>()
  const visit = (node: Node, makesConstant: boolean): void => {
    // What runs later than the module itself stays as it is.
    if (/Function|Class/.test(node.type)) return
    const input = inputOf(node)
    if (input) edits.push({ ...withComma(code, input), text: '' })
    if (makesConstant && /^(Call|New)Expression$/.test(node.type)) pure.add(node.start)
    const goesOn = makesConstant || node.type === 'VariableDeclarator'
    for (const child of childrenOf(node)) if (child !== input) visit(child, goesOn)
  }
  visit(program, false)
  const isRemoved = (at: number) => edits.some(({ start, end }) => at >= start && at < end)
  for (const start of pure) if (!isRemoved(start)) edits.push({ start, end: start, text: '/* @__PURE__ */ ' })
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: instead }) => text.slice(0, start) + instead + text.slice(end), code)
}

/** The property `input` of what makes a route. */
function inputOf({ type, callee, arguments: sent }: Node): Node | undefined {
  if (type !== 'CallExpression' || !makers.has(String((callee as { name?: unknown }).name))) return undefined
  const [first] = sent as Node[]
  if (first?.type !== 'ObjectExpression') return undefined
  return (first['properties'] as Node[]).find(({ key }) => (key as { name?: unknown } | undefined)?.name === 'input')
}

function withComma(code: string, { start, end }: Node): { start: number; end: number } {
  const comma = /^\s*,/.exec(code.slice(end))?.[0] ?? ''
  return { start, end: end + comma.length }
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value)
}
