import * as path from 'node:path'
import { SyntaxKind, type Node, type SourceFile } from 'typescript/unstable/ast'
import { isBinaryExpression, isDeleteExpression, isElementAccessExpression } from 'typescript/unstable/ast/is'
import { API, TypeFlags, type Type } from 'typescript/unstable/sync'

const root = path.resolve(import.meta.dirname, '..')

/** A read, a write or an `in` by a name that the types do not limit to known ones. */
export type Access = { file: string; line: number; text: string }

const anyName = TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.Any

function isOpen(type: Type): boolean {
  if (type.isUnionType() || type.isIntersectionType()) return type.getTypes().some(isOpen)
  return (type.flags & anyName) !== 0
}

/** The names of the accesses in a file, each with the node around it. */
function namesIn(file: SourceFile): { name: Node; access: Node }[] {
  const found: { name: Node; access: Node }[] = []
  const visit = (node: Node): void => {
    if (isDeleteExpression(node)) return // takes away nothing that is inherited
    if (isElementAccessExpression(node)) found.push({ name: node.argumentExpression, access: node })
    else if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword)
      found.push({ name: node.left, access: node })
    node.forEachChild(visit)
  }
  visit(file)
  return found
}

/** All accesses by open names in the sources of a workspace, without its tests. */
export function accessesByName(workspace: string): Access[] {
  const api = new API({ cwd: root })
  try {
    const config = path.join(root, workspace, 'tsconfig.json')
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (!project) throw new Error(`${config} is no project`)
    const { program, checker } = project
    const own = program.getSourceFileNames().filter((file) => file.startsWith(path.join(root, workspace, 'src/')))
    const named = own.flatMap((name) => {
      const file = program.getSourceFile(name)
      return file ? namesIn(file).map((one) => ({ ...one, file })) : []
    })
    const types = checker.getTypeAtLocation(named.map(({ name }) => name))
    return named.flatMap(({ file, access }, at) => {
      const type = types[at]
      if (!type || !isOpen(type)) return []
      const start = access.getStart(file)
      const line = file.text.slice(0, start).split('\n').length
      return { file: path.relative(root, file.fileName), line, text: file.text.slice(start, access.end) }
    })
  } finally {
    api.close()
  }
}
