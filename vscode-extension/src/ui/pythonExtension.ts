import * as vscode from "vscode";

/** The part of the Python extension's interface that is asked. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(): { readonly path: string };
    resolveEnvironment(environment: { readonly path: string }): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
  };
}

/** The interpreter chosen in the Python extension; undefined without it, or when it does not say. */
export async function chosenInPythonExtension(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<Partial<PythonApi> | undefined>("ms-python.python");
  try {
    const api = await extension?.activate();
    const chosen = api?.environments?.getActiveEnvironmentPath();
    if (chosen === undefined) return undefined;
    const resolved = await api?.environments?.resolveEnvironment(chosen);
    return resolved?.executable.uri?.fsPath;
  } catch {
    return undefined; // Its troubles are its own; there are other places to look.
  }
}
