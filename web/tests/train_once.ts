// Before all tests: trains what they serve; after them: removes it.
import { rmSync } from "node:fs";
import { folder, train_all } from "./runs";

export default function train_once(): () => void {
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    train_all();
  } catch (error) {
    remove();
    throw error;
  }
  return remove;
}
