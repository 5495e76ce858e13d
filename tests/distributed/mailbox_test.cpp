#include "distributed/mailbox.h"

#include <gtest/gtest.h>

#include <numeric>

#include "expect_error.h"

namespace geniepath::distributed {
namespace {

std::vector<int> numbers(size_t count, int first) {
  std::vector<int> list(count);
  std::iota(list.begin(), list.end(), first);
  return list;
}

bool send(Mailbox& mailbox, const std::vector<int>& list) {
  return mailbox.try_send(list.data(), list.size() * sizeof(int));
}

std::vector<int> receive(Mailbox& mailbox, size_t count) {
  std::vector<int> list(count);
  return mailbox.try_receive(list.data(), count * sizeof(int)) ? list : std::vector<int>{};
}

class MailboxTest : public ::testing::Test {
 protected:
  std::optional<Mailbox> sender_ = Mailbox::create(), receiver_ = Mailbox::open(sender_->address());
};

TEST_F(MailboxTest, MessagesOfAnySizeComeInOrder) {
  ASSERT_TRUE(receiver_);
  EXPECT_TRUE(receive(*receiver_, 3).empty());
  for (int n = 0; n < 50; ++n) {  // growing and shrinking
    const auto first = numbers(static_cast<size_t>(1 + n * 997 % 40'000), n), second = numbers(7, -n);
    ASSERT_TRUE(send(*sender_, first));
    ASSERT_TRUE(send(*sender_, second));
    EXPECT_EQ(receive(*receiver_, first.size()), first);
    EXPECT_EQ(receive(*receiver_, second.size()), second);
  }
}

TEST_F(MailboxTest, AFullOneTakesNoMore) {
  int sent = 0;
  while (send(*sender_, numbers(10, sent))) ++sent;
  ASSERT_GT(sent, 0);
  EXPECT_EQ(receive(*receiver_, 10), numbers(10, 0));
  EXPECT_TRUE(send(*sender_, numbers(10, sent)));
}

TEST_F(MailboxTest, AMessageOfAnotherSizeIsAnError) {
  ASSERT_TRUE(send(*sender_, numbers(10, 0)));
  EXPECT_ERROR(receive(*receiver_, 11), "another process sent 40 bytes, expected 44");
}

TEST_F(MailboxTest, WhatIsNoMailboxIsNotOpened) {
  const std::string address = sender_->address();
  EXPECT_FALSE(Mailbox::open(""));
  EXPECT_FALSE(Mailbox::open("1 x"));
  EXPECT_FALSE(Mailbox::open(std::to_string(::getpid()) + " 0 abc"));
  EXPECT_FALSE(Mailbox::open(address.substr(0, address.size() - 1) + "x"));
  EXPECT_TRUE(Mailbox::open(address));
}

}  // namespace
}  // namespace geniepath::distributed
