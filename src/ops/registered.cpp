#include "ops/registered.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>

#include "geniepath/error.h"
#include "ops/autograd.h"
#include "ops/checks.h"
#include "ops/matmul.h"

namespace geniepath::ops {
namespace {

using c10::IValue;
using c10::OperatorHandle;
using Stack = torch::jit::Stack;

OperatorHandle operator_named(const std::string& name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name.c_str(), "");
}

bool is_floating(const IValue& argument) {
  return argument.isTensor() && argument.toTensor().defined() && at::isFloatingType(argument.toTensor().scalar_type());
}

// Factors that are not differentiated.
bool is_constant(const std::string& argument) {
  return argument == "destination_scale" || argument == "source_scale" || argument == "value" ||
         argument == "transposed_value";
}

// Takes a call's arguments from the stack. bf16 is refused: operands are converted to it only within a call.
Stack taken_arguments(const OperatorHandle& op, Stack* stack) {
  const auto count = static_cast<std::ptrdiff_t>(op.schema().arguments().size());
  Stack arguments(stack->end() - count, stack->end());
  stack->resize(stack->size() - static_cast<size_t>(count));
  for (size_t n = 0; n < arguments.size(); ++n) {
    if (is_floating(arguments[n]) && arguments[n].toTensor().scalar_type() == at::kBFloat16) {
      const std::string& name = op.schema().name();
      fail(name.substr(name.find("::") + 2), ": ", op.schema().arguments()[n].name(),
           " has dtype BFloat16, expected f32 or f64");
    }
  }
  return arguments;
}

// Results of the forward pass, then what it keeps.
TensorVector run_forward(const OperatorHandle& op, Stack arguments) {
  operator_named(op.schema().name() + "_forward").callBoxed(&arguments);
  TensorVector results;
  for (const IValue& result : arguments) results.push_back(result.toTensor());
  return results;
}

void return_results(const OperatorHandle& op, const TensorVector& results, Stack* stack) {
  for (size_t n = 0; n < op.schema().returns().size(); ++n) stack->emplace_back(results[n]);
}

// A call's floating-point tensors apart from its other arguments, as autograd saves them.
struct Call {
  OperatorHandle op;
  TensorVector floating;
  std::vector<int64_t> place;  // of each in the arguments
  Stack arguments;             // None in place of them

  Call(const OperatorHandle& called, Stack given) : op(called), arguments(std::move(given)) {
    for (size_t n = 0; n < arguments.size(); ++n) {
      if (!is_floating(arguments[n])) continue;
      place.push_back(static_cast<int64_t>(n));
      floating.push_back(arguments[n].toTensor());
      arguments[n] = IValue();
    }
  }
};

Stack whole(Stack arguments, const std::vector<int64_t>& place, const at::Tensor* floating) {
  for (const int64_t n : place) arguments[static_cast<size_t>(n)] = *floating++;
  return arguments;
}

// Gradients of results, [0] in place of those that nothing reads: at least one is read.
c10::List<at::Tensor> or_empty(const tensor_list& grads) {
  const auto read = std::find_if(grads.begin(), grads.end(), [](const at::Tensor& x) { return x.defined(); });
  c10::List<at::Tensor> given;
  for (const at::Tensor& x : grads) given.push_back(x.defined() ? x : at::empty({0}, read->options()));
  return given;
}

bool computes_in_bf16(const Call& call) {
  const std::vector<c10::Argument>& arguments = call.op.schema().arguments();
  for (size_t n = 0; n < arguments.size(); ++n) {
    if (arguments[n].name() == "precision") return call.arguments[n].toStringRef() == "bf16";
  }
  return false;
}

// The floating-point arguments as the two passes read them: on a GPU the operands of products in bf16 are converted
// once, so that the backward pass keeps the converted ones alone. Converted by an operator, which compilers do not run
// twice.
tensor_list converted_operands(const Call& call, at::TensorList floating) {
  static const auto convert = operator_named("geniepath::operand").typed<at::Tensor(const at::Tensor&)>();
  tensor_list operands(floating.begin(), floating.end());
  if (!computes_in_bf16(call)) return operands;
  for (size_t n = 0; n < operands.size(); ++n) {
    const std::string& name = call.op.schema().arguments()[static_cast<size_t>(call.place[n])].name();
    const bool is_operand = name == "x" || name == "mu" || name == "h" || name == "w";
    if (is_operand && operands[n].is_cuda()) operands[n] = convert.call(operands[n]);
  }
  return operands;
}

struct Registered : torch::autograd::Function<Registered> {
  static tensor_list forward(AutogradContext* context, at::TensorList floating, const Call& call) {
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    tensor_list kept = converted_operands(call, floating);
    tensor_list results = run_forward(call.op, whole(call.arguments, call.place, kept.data()));
    kept.insert(kept.end(), results.begin(), results.end());
    context->save_for_backward(kept);
    context->saved_data["op"] = call.op.schema().name();
    context->saved_data["place"] = call.place;
    context->saved_data["arguments"] = c10::ivalue::Tuple::create(call.arguments);
    context->set_materialize_grads(false);
    results.resize(call.op.schema().returns().size());
    return results;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& grad_outputs) {
    const bool again = at::GradMode::is_enabled();
    const at::NoGradGuard no_grad;
    const std::string name = context->saved_data["op"].toStringRef();
    tensor_list found = gradients(*context, operator_named(name), grad_outputs);
    if (again) {
      const at::AutoGradMode grad_mode(true);
      found = without_derivative(name.substr(name.find("::") + 2).c_str(), found);
    }
    found.emplace_back();  // of the call
    return found;
  }

 private:
  static tensor_list gradients(AutogradContext& context, const OperatorHandle& op, const tensor_list& grad_outputs) {
    const tensor_list kept = context.get_saved_variables();
    const std::vector<int64_t> place = context.saved_data["place"].toIntVector();
    Wanted wanted;
    for (size_t n = 0; n < place.size(); ++n) {
      const std::string& argument = op.schema().arguments()[static_cast<size_t>(place[n])].name();
      wanted.push_back(context.needs_input_grad(n) && !is_constant(argument));
    }
    const auto first_result = kept.begin() + static_cast<std::ptrdiff_t>(place.size());
    Stack stack{or_empty(grad_outputs), c10::List<at::Tensor>(tensor_list(first_result, kept.end())), wanted};
    for (IValue& argument : whole(context.saved_data["arguments"].toTupleRef().elements().vec(), place, kept.data())) {
      stack.push_back(std::move(argument));
    }
    operator_named(op.schema().name() + "_backward").callBoxed(&stack);
    tensor_list found = stack[0].toTensorVector();
    for (size_t n = 0; n < found.size(); ++n) {
      if (!wanted[n]) found[n].reset();
    }
    return found;
  }
};

void differentiable(const OperatorHandle& op, Stack* stack) {
  const Call call(op, taken_arguments(op, stack));
  return_results(op, Registered::apply(at::TensorList(call.floating), call), stack);
}

void forward_alone(const OperatorHandle& op, Stack* stack) {
  return_results(op, run_forward(op, taken_arguments(op, stack)), stack);
}

void without_gradient(const OperatorHandle& op, Stack* stack) {
  const at::AutoDispatchBelowADInplaceOrView below_autograd;
  op.callBoxed(stack);
}

void check_has(const char* op, const char* list, at::TensorList tensors, size_t place) {
  if (place >= tensors.size()) {
    fail(op, "_backward: ", list, " has ", tensors.size(), " tensors, expected at least ", place + 1);
  }
}

std::string described(at::IntArrayRef sizes, at::ScalarType type, at::Device device) {
  return c10::str(sizes, " of ", at::toString(type), " on ", device.str());
}

using Boxed = void (*)(const OperatorHandle&, Stack*);
template <Boxed kFunction>
void implement(torch::Library& library, const char* name, c10::DispatchKey key) {
  library.impl(name, torch::dispatch(key, torch::CppFunction::makeFromBoxedFunction<kFunction>()));
}

}  // namespace

void define(torch::Library& library, const Schema& schema, DevicePair forward, DevicePair backward) {
  const std::string name = schema.name, arguments = schema.arguments;
  library.def((name + "(" + arguments + ") -> " + schema.results).c_str());
  library.def((name + "_forward(" + arguments + ") -> " + schema.forward_results).c_str());
  library.def(
      (name + "_backward(Tensor[] grads, Tensor[] forward, bool[] wanted, " + arguments + ") -> Tensor[]").c_str());
  implement<&differentiable>(library, schema.name, c10::DispatchKey::Autograd);
  for (const auto device : {c10::DispatchKey::CPU, c10::DispatchKey::CUDA}) {
    implement<&forward_alone>(library, schema.name, device);
  }
  implement_on_devices(library, (name + "_forward").c_str(), std::move(forward));
  implement_on_devices(library, (name + "_backward").c_str(), std::move(backward));
}

void define_constant(torch::Library& library, const char* name, const char* arguments, DevicePair forward) {
  library.def((std::string(name) + "(" + arguments + ") -> Tensor").c_str());
  implement<&without_gradient>(library, name, c10::DispatchKey::Autograd);
  implement_on_devices(library, name, std::move(forward));
}

void implement_on_devices(torch::Library& library, const char* name, DevicePair pair) {
  library.impl(name, torch::dispatch(c10::DispatchKey::CPU, std::move(pair.cpu)));
  library.impl(name, torch::dispatch(c10::DispatchKey::CUDA, std::move(pair.cuda)));
}

at::Tensor gradient_of(const char* op, at::TensorList grads, size_t result, at::IntArrayRef sizes,
                       const at::Tensor& like) {
  check_has(op, "grads", grads, result);
  check_matrix(op, "gradient", grads[result], sizes[0], sizes[1], like);
  return grads[result].contiguous();
}

at::Tensor forward_result(const char* op, at::TensorList forward, size_t place, at::IntArrayRef sizes,
                          at::ScalarType type, const at::Tensor& like) {
  check_has(op, "forward", forward, place);
  const at::Tensor& x = forward[place];
  if (x.layout() != at::kStrided || x.sizes() != sizes || x.scalar_type() != type || x.device() != like.device()) {
    fail(op, "_backward: forward[", place, "] is ", described(x.sizes(), x.scalar_type(), x.device()), ", expected ",
         described(sizes, type, like.device()), ", as ", op, "_forward returns it");
  }
  return x.contiguous();
}

TensorVector wanted_gradients(const char* op, const Wanted& wanted, const TensorVector& gradients) {
  if (wanted.size() > gradients.size()) {
    fail(op, "_backward: wanted has ", wanted.size(), " entries, expected at most ", gradients.size());
  }
  TensorVector returned;
  for (size_t n = 0; n < wanted.size(); ++n) {
    const bool missing = !wanted[n] || !gradients[n].defined();
    returned.push_back(missing ? at::empty({0}) : gradients[n]);
  }
  return returned;
}

TORCH_LIBRARY_FRAGMENT(geniepath, library) {
  const auto operand = [](const at::Tensor& x) {
    return x.scalar_type() == at::kFloat ? as_stored(x, Precision::kBf16) : x.clone();
  };
  define_constant(library, "operand", "Tensor x", operand);
}

}  // namespace geniepath::ops
