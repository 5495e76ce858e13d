// Trains the served runs before all tests and removes them afterwards.
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
